/** Reads the wait that a provider asks for: from its headers, otherwise from its error message. */

const DAY_MS = 86_400_000;

/**
 * Returns milliseconds to wait, above 0 and at most a day; undefined if the headers do not ask for a wait.
 *
 * The order is `retry-after-ms`; `retry-after` in seconds or as an HTTP date; the longest time until a used-up limit
 * (`…ratelimit-remaining… : 0`) is reset.
 * @param nowMs milliseconds since 1970
 */
export function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  if (headers === undefined) return undefined;
  const inMs = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (inMs > 0) return limitWait(inMs);
  const text = headers.get('retry-after')?.trim() ?? '';
  const waitMs = /^[\d.]+$/.test(text) ? Number.parseFloat(text) * 1000 : Date.parse(text) - nowMs;
  if (waitMs > 0) return limitWait(waitMs);
  const resets = usedUp(headers).flatMap((reset) => readReset(reset, nowMs) ?? []);
  return resets.length === 0 ? undefined : limitWait(Math.max(...resets));
}

/**
 * Returns the headers that reset a used-up limit. OpenAI, Groq and others: `x-ratelimit-reset-requests`; Anthropic:
 * `anthropic-ratelimit-requests-reset`.
 */
function usedUp(headers: Headers): string[] {
  const resets: string[] = [];
  headers.forEach((value, name) => {
    if (!/ratelimit/.test(name) || !/remaining/.test(name) || Number.parseFloat(value) !== 0) return;
    const reset = headers.get(name.replace('remaining', 'reset'));
    if (reset !== null) resets.push(reset.trim());
  });
  return resets;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
/**
 * Smallest number that is a point in time. A smaller number is a wait; a larger one is a time, in seconds until about
 * the year 2286, in milliseconds beyond.
 */
const EARLIEST_TIME_S = 1e9;
const EARLIEST_TIME_MS = 1e11;

/**
 * Parses a reset: `6m0s`, `7.66s`, seconds, a time in seconds or milliseconds since 1970, or a date; undefined for any
 * other text.
 */
function readReset(text: string, nowMs: number): number | undefined {
  if (/^[\d.]+$/.test(text)) {
    const number = Number.parseFloat(text);
    if (number >= EARLIEST_TIME_MS) return positive(number - nowMs);
    return positive(number >= EARLIEST_TIME_S ? number * 1000 - nowMs : number * 1000);
  }
  const parts = [...text.matchAll(/(?<![\d.])([\d.]+)(ms|[smhd])/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    return positive(
      parts.reduce((sum, [, count = '', unit = '']) => sum + Number.parseFloat(count) * (UNITS[unit] ?? 0), 0),
    );
  }
  return positive(Date.parse(text) - nowMs);
}

/** Matches Google's `"retryDelay": "37s"`, and OpenRouter's copy of a header. */
const DELAY = /"retryDelay"\s{0,3}:\s{0,3}"([\d.]{1,12}s)"|"X-RateLimit-Reset"\s{0,3}:\s{0,3}"?(\d{10,13})\b/;
/**
 * Matches Groq's and OpenAI's `Please try again in 7m12.5s`, Azure's `Please retry after 26 seconds`, GitHub's
 * `Please wait …`.
 */
const AGAIN =
  /\b(?:(?:try again|retry|resets?|available) (?:in|after)|please wait) ((?:[\d.]{1,12} ?(?:milliseconds?|ms|seconds?|s|minutes?|m|hours?|h|days?|d)(?![a-z]) ?){1,4})/i;

/**
 * Returns the wait from an error's message in milliseconds, above 0 and at most a day; undefined if it names no wait.
 * @param words a message of bounded length
 * @param nowMs milliseconds since 1970
 */
export function readWaitInWords(words: string, nowMs: number): number | undefined {
  const [, delay, reset] = DELAY.exec(words) ?? [];
  const [, again] = AGAIN.exec(words) ?? [];
  const short = again
    ?.toLowerCase()
    .replace(/milliseconds?/g, 'ms')
    .replace(/([smhd])[a-z]{2,}/g, '$1')
    .replace(/ /g, '');
  const waitMs = readReset(delay ?? reset ?? short ?? '', nowMs);
  return waitMs === undefined ? undefined : limitWait(waitMs);
}

function positive(waitMs: number): number | undefined {
  return waitMs > 0 ? waitMs : undefined;
}

function limitWait(waitMs: number): number {
  return Math.min(Math.ceil(waitMs), DAY_MS);
}
