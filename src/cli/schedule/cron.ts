/** Finds start times of a schedule that never occur, or that daylight saving time skips. Pure. */

/** Values of a cron string's field; null for names and characters that only the server parses. */
function parseField(field: string, least: number, most: number): ReadonlySet<number> | null {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const match = /^(?:(\*)|(\d{1,4})(?:-(\d{1,4}))?)(?:\/(\d{1,4}))?$/.exec(part);
    if (match === null) return null;
    const [, any, first, last, step] = match;
    const from = any === undefined ? Number(first) : least;
    const to = any !== undefined || (last === undefined && step !== undefined) ? most : Number(last ?? first);
    const by = Number(step ?? 1);
    if (by === 0 || from < least || to > most) return null;
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

/** Splits a cron string into its five fields; null for `@daily` and other forms. */
function splitFields(cron: string): readonly string[] | null {
  const fields = cron.trim().split(/\s+/);
  return fields.length === 5 ? fields : null;
}

const MOST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** @returns true if no month has the day, as the 31st of February */
export function isNever(cron: string): boolean {
  const [, , day = '*', month = '*'] = splitFields(cron) ?? [];
  const days = parseField(day, 1, 31);
  const months = parseField(month, 1, 12);
  if (days === null || months === null) return false;
  const earliest = Math.min(...days);
  return [...months].every((each) => earliest > (MOST_DAYS[each - 1] ?? 31));
}

/** Step of the search in ms, because clocks change at a half or a full hour of UTC. */
const STEP_MS = 1_800_000;
const YEAR_MS = 366 * 24 * 3_600_000;

/**
 * Finds the next day on which daylight saving time skips a start time.
 * @param now ms since the epoch; the following year is searched
 * @returns `2027-03-28 02:30`; null if there is none
 */
export function skippedTime(cron: string, timezone: string, now: number): string | null {
  const [minute = '', hour = ''] = splitFields(cron) ?? [];
  const minutes = parseField(minute, 0, 59);
  const hours = parseField(hour, 0, 23);
  if (minutes === null || hours === null || hours.size === 24) return null;
  const clock = createClock(timezone);
  const start = Math.ceil(now / STEP_MS) * STEP_MS;
  let before = clock(start);
  for (let at = start + STEP_MS; at < start + YEAR_MS; at += STEP_MS) {
    const after = clock(at);
    const [from, to] = [before + STEP_MS, after];
    before = after;
    for (let local = from; local < to; local += 60_000) {
      const skipped = new Date(local);
      if (!minutes.has(skipped.getUTCMinutes()) || !hours.has(skipped.getUTCHours())) continue;
      return skipped.toISOString().slice(0, 16).replace('T', ' ');
    }
  }
  return null;
}

/** Returns a zone's clock, which gives the local time of day as if it were UTC, in ms. */
function createClock(timezone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
}
