/** Classifies what an agent's function throws: its own bug, or a failed model call. */

import { isObject } from '../../io/index.ts';

interface ThrownFailure {
  /** Status of the answer: the model failure's, if the error has it, as errors of providers' SDKs do. */
  readonly status: number;
  /** True for a bug, which no further attempt changes. */
  readonly isOwn: boolean;
}

/** Names of errors of HTTP clients without a code: of the models' SDKs, and of a timeout that the function sets. */
const CONNECTION_NAMES: ReadonlySet<unknown> = new Set([
  'APIConnectionError',
  'APIConnectionTimeoutError',
  'APITimeoutError',
  'APIUserAbortError',
  'AbortError',
  'TimeoutError',
]);

/** Codes of connections that failed or broke. */
const CONNECTION_CODE =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN)|UND_ERR_(?!INVALID_ARG|NOT_SUPPORTED)\w+)$/;

/** Most errors of a chain that are examined, because a cause may be the error itself. */
const MOST_CAUSES = 16;

/** Classifies a value that an agent's function has thrown. */
export function judgeThrown(thrown: unknown): ThrownFailure {
  try {
    return judgeChain(thrown);
  } catch {
    return { status: 500, isOwn: true };
  }
}

function judgeChain(thrown: unknown): ThrownFailure {
  const causes: unknown[] = [thrown];
  for (let at = 0; at < causes.length && at < MOST_CAUSES; at++) {
    const each = causes[at];
    if (!isObject(each)) continue;
    const { status, statusCode, code, name, constructor: type, cause, lastError, errors } = each;
    const answered = [status, statusCode].find(isFailedStatus);
    if (answered !== undefined) return { status: answered, isOwn: false };
    const names = [name, typeof type === 'function' ? type.name : undefined];
    if (names.some((one) => CONNECTION_NAMES.has(one)) || (typeof code === 'string' && CONNECTION_CODE.test(code))) {
      return { status: 500, isOwn: false };
    }
    // The agent's model handles an invalid call; any other failure ends the attempt.
    causes.push(cause, lastError, ...(Array.isArray(errors) ? (errors as unknown[]).slice(0, MOST_CAUSES) : []));
  }
  return { status: 500, isOwn: true };
}

function isFailedStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600;
}
