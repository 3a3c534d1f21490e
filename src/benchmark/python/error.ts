/** Exceptions as Python raises them: agents get to read their texts, so the texts are part of the benchmark. */

export type PyErrorType =
  | 'AssertionError'
  | 'AttributeError'
  | 'IndexError'
  | 'KeyError'
  | 'OverflowError'
  | 'RecursionError'
  | 'SyntaxError'
  | 'TypeError'
  | 'ValidationError'
  | 'ValueError'
  | 'ZeroDivisionError';

/** A Python exception; the message is what `str(exception)` gives. */
export class PyError extends Error {
  readonly type: PyErrorType;

  constructor(type: PyErrorType, message: string) {
    super(message);
    this.name = 'PyError';
    this.type = type;
  }
}

/** A key that is not there: the text is the key's `repr`, which the caller gives. */
export function keyError(keyRepr: string): PyError {
  return new PyError('KeyError', keyRepr);
}

export function typeError(message: string): PyError {
  return new PyError('TypeError', message);
}
