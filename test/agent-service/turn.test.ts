/** One request to an agent. The gateway and the episode are plain objects. */

import { expect, it } from 'vitest';
import { createTurnTaker, type TurnBinding } from '../../src/agent-service/index.ts';
import { readPack, shippedPackFolder } from '../../src/benchmarks/testing.ts';
import { serve } from '../helpers/stub-service.ts';

const TRANSCRIPT = { thread: '', keep: 0, digest: '', items: [] };
const CALL = { request: 1, attempt: 1, wire: 'chat', digest: '', model: 'mine', transcript: TRANSCRIPT } as const;

const TURN = {
  ...{ toolsUrl: '', openaiUrl: '', anthropicUrl: '', mcpUrl: '' },
  over: new Promise<void>(() => undefined),
  close: () => Promise.resolve({ passedThrough: 0, open: 0 }),
};

/** Sends a request to an agent that calls a model, gets the refusal, and answers with an error. */
async function takeTurn(modelCall: TurnBinding['modelCall']): Promise<unknown> {
  let binding: TurnBinding | undefined;
  const { url } = await serve((_, response) => {
    void binding?.modelCall(CALL).then(() => response.writeHead(500).end('HTTP Error 400'));
  });
  const gateway = {
    open(opened: TurnBinding) {
      binding = opened;
      return TURN;
    },
    close: () => Promise.resolve(),
  };
  const pack = await readPack((await shippedPackFolder('retail')) ?? '');
  const take = createTurnTaker({ gateway: () => Promise.resolve(gateway), agentKey: null });
  return await take(
    {
      ...{ pack: pack.ref, session: 's', turn: 1, request: 1, fresh: 1, earlierAttempts: 0, maxRetries: 0 },
      strategyOptions: { omitPolicy: false, useReasoning: true, agentUrl: url },
      conversation: TRANSCRIPT,
    },
    {
      ...{ episode: 'e', attempt: 1, pack, conversation: [{ role: 'user', content: 'Hi' }], isRetry: false },
      options: { timeoutMs: 5_000 },
      toolCall: () => Promise.reject(new Error('the agent calls no tool')),
      modelCall,
    },
  );
}

it('an agent whose model call finds no model in the run has failed for that reason', async () => {
  await expect(
    takeTurn(() => Promise.resolve({ refused: 'invalid', message: 'the run has none' })),
  ).rejects.toMatchObject({
    failure: { type: 'RequestRefused', retryable: false, isForModel: true, message: 'the run has none' },
  });
});

it('an agent whose late model call is refused has failed by itself', async () => {
  const refused = takeTurn(() => Promise.resolve({ refused: 'stale', message: 'another attempt is under way' }));
  await expect(refused).rejects.toMatchObject({
    failure: { type: 'ModelUnavailable', message: expect.stringContaining('HTTP Error 400') as string },
  });
});
