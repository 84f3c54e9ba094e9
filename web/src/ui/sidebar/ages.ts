// How long ago something was, as short as it can be said.
import { words } from '../../words.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function age(time: number, now: number): string {
  const passed = Math.max(0, now - time);
  if (passed < MINUTE) return words.justNow;
  if (passed < HOUR) return words.minutes(Math.floor(passed / MINUTE));
  if (passed < DAY) return words.hours(Math.floor(passed / HOUR));
  return words.days(Math.floor(passed / DAY));
}
