/** The judge of τ³-bench's sentences: their prompt about the conversation, the verdicts, and what they cost. */

import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, expect, it } from 'vitest';

import { createJudgeSentencesActivity } from '../../activities/judge-sentences.ts';
import { createModelCaller } from '../../src/models/client.ts';
import { createPricer } from '../../src/models/prices.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { Tau3Files, importTau3 } from '../../src/pack-tools/import-tau3/index.ts';
import type { JudgeSentencesInput } from '../../src/wire/judging.ts';
import { tau3CheckoutFiles, writeTau3Checkout } from '../helpers/tau3-checkout.ts';
import {
  answerJson,
  completion,
  openaiEnv,
  startFakeProvider,
  type Answer,
  type FakeProvider,
} from '../models/helpers.ts';
import { scratchFolder } from '../results/fixtures.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

const SENTENCES = ['Agent is kind.', 'Agent cancels.'];

/** The small shop, whose first task has the sentences. */
async function packWithSentences() {
  const files = tau3CheckoutFiles();
  const name = Object.keys(files).find((file) => file.endsWith('retail/tasks.json')) ?? '';
  const tasks = JSON.parse(files[name] ?? '[]') as { evaluation_criteria: object }[];
  const criteria = { nl_assertions: SENTENCES, reward_basis: ['NL_ASSERTION'] };
  files[name] = JSON.stringify(
    tasks.map((task) => ({ ...task, evaluation_criteria: { ...task.evaluation_criteria, ...criteria } })),
  );
  const folder = await writeTau3Checkout(scratchFolder(), files);
  const { packs } = await importTau3(new Tau3Files(folder, 'it'), { domains: ['tau3-retail'] });
  const [made] = packs;
  if (made === undefined) throw new Error('no pack');
  return made.pack;
}

async function judged(...answers: readonly Answer[]) {
  const provider = await startFakeProvider(...answers);
  open.push(provider);
  const pack = await packWithSentences();
  const env = openaiEnv(provider);
  const activity = createJudgeSentencesActivity({
    callModel: createModelCaller((name) => resolveProvider(name, env)),
    priceCall: createPricer(() => undefined),
    random: () => 0,
    findPack: () => Promise.resolve(pack),
    transcripts: new TranscriptStore(),
  });
  const input: JudgeSentencesInput = {
    pack: pack.ref,
    split: 'base',
    episode: { taskId: 0, trial: 0 },
    trajectory: {
      thread: 'judge',
      keep: 0,
      digest: '',
      items: [
        { role: 'system', content: 'Policy.' },
        { role: 'user', content: 'Cancel it.' },
      ],
    },
    judge: { model: { provider: 'openai', model: 'gpt-4o', temperature: 0 }, maxRetries: 1, callTimeoutMs: 60_000 },
    attempt: 1,
  };
  const info: Partial<Info> = { heartbeatTimeoutMs: 20_000, startToCloseTimeoutMs: 40_000, activityId: '5' };
  const output = await new MockActivityEnvironment(info).run(activity, input);
  return { output, body: JSON.stringify(provider.requests[0]?.body) };
}

const reply = (...results: object[]) => answerJson(completion({ content: JSON.stringify({ results }) }));
const result = (expectedOutcome: string, metExpectation: boolean) => ({
  expectedOutcome,
  metExpectation,
  reasoning: 'Seen.',
});

it('asks about every sentence at once, and prices the answer', async () => {
  const { output, body } = await judged(reply(result('Agent is kind.', true), result('Agent cancels.', false)));
  expect(output).toMatchObject({
    verdicts: [
      { assertion: 'Agent is kind.', met: true, reason: 'Seen.' },
      { assertion: 'Agent cancels.', met: false, reason: 'Seen.' },
    ],
    calls: 1,
    costUsd: expect.any(Number) as number,
  });
  expect(body).toContain('assistant: Hi! How can I help you today?\\\\nuser: Cancel it.'.replaceAll('\\\\', '\\'));
  expect(body).toContain("['Agent is kind.', 'Agent cancels.']");
  expect(body).not.toContain('Policy.');
});

it('says what an answer was that decides on one sentence of two', async () => {
  const { output } = await judged(reply(result('Agent is kind.', true)));
  expect(output).toMatchObject({ verdicts: null, unread: expect.stringContaining('expectedOutcome') as string });
});
