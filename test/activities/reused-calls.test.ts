/** Replies that an episode has from the one in whose place it begins again. */

import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, vi } from 'vitest';
import { createReusedReplies } from '../../activities/testing.ts';
import { enterCall } from '../../src/temporal/client/testing.ts';
import type { EarlierCalls } from '../../src/temporal/client/index.ts';
import type { CompleteInput } from '../../src/episode/index.ts';
import { TranscriptSender, type CompleteOutput } from '../../src/evaluation/index.ts';
import type { Message } from '../../src/agents/index.ts';
import { INFO, inputWith, watchedLogger } from './complete-rig.ts';

const OUTPUT = { servedModel: 'm', attempt: 1, costUsd: 0.5 } as unknown as CompleteOutput;
const asked = (content: string): Message[] => [
  { role: 'user', content: 'Hi' },
  { role: 'user', content },
];

/** The call as one made after others, so that only what is new is sent; and as one sent whole. */
function sent(content: string, isWhole: boolean): CompleteInput {
  const sender = new TranscriptSender();
  if (!isWhole) sender.next('agent', asked(content).slice(0, 1));
  const transcript = sender.next('agent', asked(content));
  return { ...inputWith(), call: 'agent 2', transcript, resumes: { workflowRunId: 'before' } };
}

function earlierOf(input: CompleteInput, output: CompleteOutput): EarlierCalls {
  const calls: Parameters<typeof enterCall>[0] = new Map();
  enterCall(calls, input, output);
  return calls;
}

const info = { ...INFO, workflowExecution: { workflowId: 'run/task-1/trial-0', runId: 'now' } };
const environment = new MockActivityEnvironment(info, {
  logger: watchedLogger(),
  client: { withAbortSignal: (_signal: unknown, work: () => unknown) => work() } as never,
});

type Read = NonNullable<Parameters<typeof createReusedReplies>[0]>;

it('uses the reply to the same request alone, whichever part of it was sent', async () => {
  let reads = 0;
  const reused = createReusedReplies((_client, earlier, now) => {
    reads += 1;
    expect([earlier.workflowRunId, now.runId]).toEqual(['before', 'now']);
    return Promise.resolve(earlierOf(sent('Cancel it', true), OUTPUT));
  });
  const reply = (input: CompleteInput) => environment.run(reused, input);
  expect(await reply(sent('Cancel it', true))).toEqual(OUTPUT);
  expect(await reply(sent('Cancel it', false))).toEqual(OUTPUT);
  expect(await reply(sent('Keep it', false))).toBeNull();
  expect(await reply({ ...sent('Cancel it', false), call: 'agent 3' })).toBeNull();
  expect(await reply({ ...sent('Cancel it', true), role: 'user' })).toBeNull();
  expect(await reply({ ...sent('Cancel it', true), format: 'json' })).toBeNull();
  expect(await reply({ ...sent('Cancel it', true), schema: 'fault' })).toBeNull();
  expect(reads).toBe(1);
  const { resumes: _, ...anew } = sent('Cancel it', true);
  expect(await reply(anew)).toBeNull();
});

it('a worker reads the earlier calls again after a failure', async () => {
  const read = vi.fn<Read>().mockRejectedValueOnce(new Error('the server is away'));
  read.mockResolvedValue(earlierOf(sent('Cancel it', true), OUTPUT));
  const reused = createReusedReplies(read);
  await expect(environment.run(reused, sent('Cancel it', true))).rejects.toThrow('the server is away');
  expect(await environment.run(reused, sent('Cancel it', true))).toEqual(OUTPUT);
});
