/**
 * Shortcuts in the SDK's Worker, past two things that it does in vain for each activity and workflow task: together 3 % of
 * a worker's CPU time. It has no option for either, so its classes are changed here.
 */

import { LoggerWithComposedMetadata } from '@temporalio/common/lib/logger.js';
import { WorkflowCodecRunner } from '@temporalio/worker/lib/workflow-codec-runner.js';
import type { PayloadCodec } from '@temporalio/common';
import { EncryptionCodec } from '../codec/index.ts';
import type { LogLevel } from '../telemetry/index.ts';

const METHODS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/**
 * Drops lines of lower levels where they are written. The SDK collects all metadata of such a line (about 120 of them an
 * episode), sorts it among others and keeps it for 0.1 s, and only then asks for its level.
 */
export function dropLinesBelow(level: LogLevel): void {
  const levels = Object.keys(METHODS) as (keyof typeof METHODS)[];
  for (const lower of levels.slice(0, levels.indexOf(level))) {
    LoggerWithComposedMetadata.prototype[METHODS[lower]] = () => undefined;
  }
}

type Encode = (this: object, completion: object) => Promise<object>;

let isShortened = false;

/**
 * Takes the answer to a workflow task as it is where no codec would change it. The SDK visits each of its payloads, with
 * several promises and an `AbortController`.
 */
export function skipIdleCodecs(): void {
  if (isShortened) return;
  isShortened = true;
  const prototype = WorkflowCodecRunner.prototype as unknown as Record<'encodeCompletion', Encode>;
  const { encodeCompletion: visit } = prototype;
  prototype.encodeCompletion = function (completion) {
    // Where the field has another name, in another version of the SDK, nothing is skipped.
    const { codecs } = this as { readonly codecs?: readonly (PayloadCodec | EncryptionCodec)[] };
    const isIdle = codecs?.every((codec) => codec instanceof EncryptionCodec && codec.isIdle) === true;
    return isIdle ? Promise.resolve(completion) : visit.call(this, completion);
  };
}
