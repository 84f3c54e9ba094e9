/** An arrow up; as a character it would sit where each font likes it. */
export function SendIcon() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path d="M9 14.5v-11M4.5 8 9 3.5 13.5 8" />
    </svg>
  );
}
