/** The moment at which all conversations with the airline take place, as its tools have it, and the days around it. */

/** 15 May 2024, three in the afternoon. */
export const TODAY = 15;
export const NOW_MINUTES = 15 * 60;
/** What was booked after this moment can be called off for any reason. */
export const A_DAY_AGO = '2024-05-14T15:00:00';

/** Days of May for which flights are known. */
export const FIRST_DAY = 10;
const LAST_DAY = 26;

export const DAYS: readonly number[] = Array.from({ length: LAST_DAY - FIRST_DAY + 1 }, (_, at) => FIRST_DAY + at);
export const COMING_DAYS: readonly number[] = DAYS.filter((day) => day > TODAY);

/** `2024-05-07`. */
export function dateOf(day: number): string {
  return `2024-05-${two(day)}`;
}

export function dayOf(date: string): number {
  return Number(date.slice(-2));
}

/** `May 7`. */
export function spellDate(date: string): string {
  return `May ${String(dayOf(date))}`;
}

/** `14:20:00`. */
export function timeOf(minutes: number): string {
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
}

/** `2024-05-15T14:20:00`. */
export function momentOf(day: number, minutes: number): string {
  return `${dateOf(day)}T${timeOf(minutes)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
