import sdk from '@temporalio/common/lib/internal-non-workflow/index.js';
import { LoggerWithComposedMetadata } from '@temporalio/common/lib/logger.js';
import proto from '@temporalio/proto';
import { WorkflowCodecRunner } from '@temporalio/worker/lib/workflow-codec-runner.js';
import type { ExternalStorage, Payload, PayloadCodec } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { EncryptionCodec, readKeyRing } from '../../src/temporal/codec/index.ts';
import { dropLinesBelow, skipIdleVisits } from '../../src/temporal/worker/shortcuts.ts';

skipIdleVisits();

const CONTEXT = { type: 'workflow', namespace: 'n', workflowId: 'w' } as const;

describe('an answer to a workflow task', () => {
  const completion = {
    runId: 'run',
    successful: {
      commands: [{ completeWorkflowExecution: { result: { data: Buffer.from('"done"') } } }],
    },
  };

  async function encodedBy(...codecs: PayloadCodec[]): Promise<unknown> {
    const runner = new WorkflowCodecRunner(codecs, CONTEXT);
    const { successful } = await runner.encodeCompletion(structuredClone(completion));
    const { data } = successful?.commands?.[0]?.completeWorkflowExecution?.result ?? {};
    return Buffer.from(data ?? []).toString();
  }

  it('stays as it is without a key', async () => {
    expect(await encodedBy(new EncryptionCodec([]))).toBe('"done"');
  });

  it('has the same bytes as by way of the SDK, after its way from the thread of the workflow code', async () => {
    const { WorkflowActivationCompletion } = proto.coresdk.workflow_completion;
    const scheduleActivity = {
      seq: 1,
      activityId: '1',
      activityType: 'step',
      arguments: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"a":131.0}') }],
      startToCloseTimeout: { seconds: { low: 10, high: 0, unsigned: false }, nanos: 5 },
      retryPolicy: { backoffCoefficient: 2, maximumAttempts: 0 },
      cancellationType: 2,
      doNotEagerlyExecute: false,
    };
    const answer: Record<string, unknown> = {
      runId: 'run',
      successful: { commands: [{ scheduleActivity }], usedInternalFlags: [3] },
    };
    const runner = new WorkflowCodecRunner([new EncryptionCodec([])], CONTEXT);
    const encoded = await runner.encodeCompletion(answer);
    const bytes = WorkflowActivationCompletion.encodeDelimited(encoded).finish();
    const made = WorkflowActivationCompletion.fromObject(answer);
    expect(Buffer.from(bytes)).toEqual(Buffer.from(WorkflowActivationCompletion.encodeDelimited(made).finish()));
    expect(bytes.length).toBeGreaterThan(60);
  });

  it('is encrypted with one', async () => {
    const keys = readKeyRing({ TAUFLOW_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') });
    expect(await encodedBy(new EncryptionCodec(keys))).not.toContain('done');
  });

  it('goes through any other codec', async () => {
    const shouting: PayloadCodec = {
      encode: (payloads) => Promise.resolve(payloads.map(loud)),
      decode: (payloads) => Promise.resolve(payloads),
    };
    expect(await encodedBy(new EncryptionCodec([]), shouting)).toBe('"DONE"');
  });
});

it('has no task searched for payloads of a storage, unless there is one', async () => {
  let walks = 0;
  const walk = () => {
    walks += 1;
    return [];
  };
  await sdk.visit({}, walk, sdk.extstoreInboundOptions(undefined));
  expect(walks).toBe(0);
  await sdk.visit({}, walk, sdk.extstoreInboundOptions({} as ExternalStorage));
  await sdk.visit({}, walk, sdk.extstoreStoreOptions({} as ExternalStorage));
  expect(walks).toBe(2);
});

function loud(payload: Payload): Payload {
  return {
    ...payload,
    data: Buffer.from(
      Buffer.from(payload.data ?? [])
        .toString()
        .toUpperCase(),
    ),
  };
}

it('collects the metadata of no line below the level of the log', () => {
  const written: string[] = [];
  const keep = (_: string, message: string): void => void written.push(message);
  const all = (message: string): void => keep('', message);
  const parent = { log: keep, trace: all, debug: all, info: all, warn: all, error: all };
  let collected = 0;
  const logger = LoggerWithComposedMetadata.compose(parent, () => ({ count: (collected += 1) }));
  logger.trace('before');
  dropLinesBelow('INFO');
  logger.trace('trace');
  logger.debug('debug');
  logger.info('info');
  logger.error('error');
  expect(written).toEqual(['before', 'info', 'error']);
  expect(collected).toBe(3);
});
