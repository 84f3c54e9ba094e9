// Numbers as a language writes them.

export interface Figures {
  number: Intl.NumberFormat;
  tokens(count: number): string;
  percent(part: number, whole: number): string;
  /** `many` also for languages that make no difference. */
  plural(count: number, one: string, many: string): string;
  megabytes(bytes: number): string;
}

export function figures(locale: string): Figures {
  const number = new Intl.NumberFormat(locale);
  const tenths = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return {
    number,
    tokens: (count) =>
      count >= 1000 ? `${number.format(Math.round(count / 1000))}k` : number.format(count),
    // Something is never shown as nothing.
    percent: (part, whole) => {
      const share = (part / whole) * 100;
      return share > 0 && share < 1 ? '<1 %' : `${Math.round(share)} %`;
    },
    plural: (count, one, many) => `${number.format(count)} ${count === 1 ? one : many}`,
    megabytes: (bytes) => `${tenths.format(bytes / 1_000_000)} MB`,
  };
}
