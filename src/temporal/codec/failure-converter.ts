/**
 * Moves messages and stack traces of failures into payloads, which the codec then encrypts, because they quote
 * conversations. Workers and the workflows' sandbox load it by its path.
 */

import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
