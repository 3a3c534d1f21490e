/**
 * Shortcuts in the SDK's Worker, past what it does in vain for each activity and workflow task: about 4 % of a worker's
 * CPU time. It has no option for any of it, so its classes and functions are changed here.
 */

import type { ExternalStorage, PayloadCodec } from '@temporalio/common';
import storage from '@temporalio/common/lib/internal-non-workflow/external-storage-visitor.js';
import visitor from '@temporalio/common/lib/internal-non-workflow/payload-visitor.js';
import { LoggerWithComposedMetadata } from '@temporalio/common/lib/logger.js';
import { WorkflowCodecRunner } from '@temporalio/worker/lib/workflow-codec-runner.js';
import { EncryptionCodec } from '../codec/index.ts';
import { LOG_LEVELS, type LogLevel } from '../telemetry/index.ts';

/**
 * Drops lines of lower levels where they are written. The SDK collects all metadata of such a line (about 120 of them an
 * episode), sorts it among others and keeps it for 0.1 s, and only then asks for its level.
 */
export function dropLinesBelow(level: LogLevel): void {
  for (const lower of ['TRACE', ...LOG_LEVELS] as const) {
    if (lower === level) return;
    LoggerWithComposedMetadata.prototype[lower.toLowerCase() as Lowercase<typeof lower>] = () => undefined;
  }
}

let isDone = false;

/**
 * Leaves out two visits to all payloads of a task, each with several promises and an `AbortController`, where they change
 * nothing.
 */
export function skipIdleVisits(): void {
  if (isDone) return;
  isDone = true;
  skipIdleCodecs();
  skipMissingStorage();
}

type Encode = (this: object, completion: object) => Promise<object>;

/** Takes the answer to a workflow task as it is where no codec would change it. */
function skipIdleCodecs(): void {
  const prototype = WorkflowCodecRunner.prototype as unknown as Record<'encodeCompletion', Encode>;
  const { encodeCompletion: encode } = prototype;
  prototype.encodeCompletion = function (completion) {
    // Where the field has another name, in another version of the SDK, nothing is skipped.
    const { codecs } = this as { readonly codecs?: readonly (PayloadCodec | EncryptionCodec)[] };
    const isIdle = codecs?.every((codec) => codec instanceof EncryptionCodec && codec.isIdle) === true;
    return isIdle ? Promise.resolve(completion) : encode.call(this, completion);
  };
}

type Visit = typeof visitor.visit;

/** Options that stand for a visit which is not made. */
const NO_VISIT: ReturnType<typeof storage.extstoreInboundOptions> = {
  transformPayload: (payload) => Promise.resolve(payload),
  transformPayloads: (payloads) => Promise.resolve(payloads),
};

/**
 * Does not look for payloads that stand for others in an external storage, where there is none to take them from. Such a
 * payload has an encoding of its own, which the converter of payloads refuses.
 */
function skipMissingStorage(): void {
  const { extstoreInboundOptions: optionsFor } = storage;
  const { visit } = visitor;
  Object.assign(storage, {
    extstoreInboundOptions: (external: ExternalStorage | undefined, options?: Parameters<typeof optionsFor>[1]) =>
      external === undefined ? NO_VISIT : optionsFor(external, options),
  });
  Object.assign(visitor, {
    visit: ((root, walk, options) =>
      (options as object) === NO_VISIT ? Promise.resolve() : visit(root, walk, options)) satisfies Visit,
  });
}
