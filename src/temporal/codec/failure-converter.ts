/**
 * Puts messages and stack traces of failures into payloads, which the codec then encrypts, because they quote
 * conversations. Loaded by its path, in workers and in the workflows' sandbox.
 */

import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
