/** Errors that the user can act on, and the exit codes of commands. */

export const ExitCode = {
  Done: 0,
  /** The work was done, but a threshold failed, or some episodes ended in an infrastructure error. */
  Failed: 1,
  /** Bad usage or bad input. */
  Usage: 2,
  /** A server, worker or provider could not be reached. */
  Unreachable: 3,
  /** The command was interrupted, and can be resumed. */
  Interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * Base of every error that the user can act on. The message is one or two sentences: what happened, where, and what to
 * do. It never contains a key. Any other error is a bug of the program.
 */
export abstract class TauflowError extends Error {
  abstract readonly exitCode: ExitCode;
}

/** Error of bad usage or bad input, which another command line corrects. */
export class UsageError extends TauflowError {
  override readonly name: string = 'UsageError';
  readonly exitCode = ExitCode.Usage;
}

/** Error of a server, worker or provider that could not be reached. */
export class UnreachableError extends TauflowError {
  override readonly name: string = 'UnreachableError';
  readonly exitCode = ExitCode.Unreachable;
}

/** Returns the first line of an error's message; the other lines are details. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.trim() ?? '';
}

/**
 * Returns the innermost error, which describes the event (`connect ECONNREFUSED 127.0.0.1:1`); the outer errors only
 * report a failure.
 */
export function rootCause(error: Error): Error & { readonly code?: unknown } {
  let inner: Error = error;
  for (let depth = 0; depth < 8; depth++) {
    const next = inner instanceof AggregateError ? (inner.errors[0] as unknown) : inner.cause;
    if (!(next instanceof Error)) break;
    inner = next;
  }
  return inner;
}

/** Returns a code such as `ENOENT`; null for errors that are not the operating system's. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Returns the reason why a file could not be read, a phrase for the end of a sentence: `does not exist`. */
export function describeUnreadable(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder, not a file';
  return code === null ? 'cannot be read' : `cannot be read (${code})`;
}

/**
 * Makes a handler that replaces failures by a value: `.catch(instead(null, 'ENOENT'))`.
 * @param codes codes of the operating system's errors to replace. @default all of its errors
 */
export function instead<T>(value: T, ...codes: readonly string[]): (error: unknown) => T {
  return (error) => {
    const code = systemErrorCode(error);
    if (code !== null && (codes.length === 0 || codes.includes(code))) return value;
    throw error;
  };
}

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/** Makes a handler that handles errors of some classes, and throws any other. */
export function onError<E extends Error, T>(
  answer: (error: E) => T,
  ...classes: readonly ErrorClass<E>[]
): (error: unknown) => T {
  return (error) => {
    const known = classes.find((each): boolean => error instanceof each);
    if (known !== undefined) return answer(error as E);
    throw error;
  };
}

/** Runs work, and handles errors of some classes like {@link onError}. */
export function attempt<W, E extends Error, T>(
  work: () => W,
  answer: (error: E) => T,
  ...classes: readonly ErrorClass<E>[]
): W | T {
  try {
    return work();
  } catch (error) {
    return onError(answer, ...classes)(error);
  }
}

/** Returns the message with the error's code, unless it has the code already. */
export function messageWithCode({ message, code }: { readonly message: string; readonly code?: unknown }): string {
  return typeof code === 'string' && !message.includes(code) ? `${message} (${code})` : message;
}

/**
 * Runs `work`. If it throws an error that the user can act on, the subject is put before its message.
 * @param subject a flag or a file
 */
export function withContext<T>(subject: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TauflowError) error.message = `${subject}: ${error.message}`;
    throw error;
  }
}

/** Most characters of an object's JSON. */
const MOST_CHARS = 300;

/**
 * Describes an error as `TypeError: x is not a function`, another value by its message, or by its JSON. Never throws.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    if (isError(value)) return String(value);
    if ('message' in value && typeof value.message === 'string' && value.message !== '') return value.message;
    const json = JSON.stringify(value) as string | undefined;
    if (json !== undefined) return json.length > MOST_CHARS ? `${json.slice(0, MOST_CHARS)}…` : json;
  } catch {
    // The value has a cycle, a BigInt, or a getter that throws.
  }
  return 'an object that has no JSON form';
}

/** @returns true also for an error of another realm, for which `instanceof` is false */
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
