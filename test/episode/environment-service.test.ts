/** Episodes on an environment service: its rules, its faults, its grade, and the judge of its sentences. */

import { describe, expect, it } from 'vitest';
import type { GradeInput } from '../../src/episode/index.ts';
import { FailureType, type EvaluationConfig, type HeldCall } from '../../src/evaluation/index.ts';
import { getBenchmark, type Grade } from '../../src/benchmarks/index.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { calling, STOP } from '../workflows/models.ts';
import { playLines } from './models.ts';
import { failing, findPack, releasingHolder, scripted, stageEpisode, stagedConfig, type Cast } from './stage.ts';

const SENTENCE = 'The agent names the total.';
const DONE: Grade = {
  reward: 0.5,
  parts: [{ kind: 'calls', counts: true, checks: [{ wanted: 'cancel_order', isMet: true }] }],
};

/** A pack of a service with a task; what is not named here is the shipped pack's. */
async function packOf(rules: 'solo' | 'tau2' | 'tau-bench'): Promise<Pack> {
  const shipped = await findPack('retail');
  const source = { kind: 'url', url: 'http://127.0.0.1:1' } as const;
  const environment = {
    ...{ source, name: 'orders', version: '1', domain: rules, options: {}, rules, replays: rules === 'solo' },
  };
  const task = {
    userId: '',
    instruction: 'Cancel W1.',
    actions: [],
    outputs: [],
    name: 'cancel',
    sentences: [SENTENCE],
  };
  return {
    ...shipped,
    ref: { name: `orders:${rules}`, digest: rules.repeat(16), path: source.url, environment },
    domain: `orders:${rules}`,
    splits: { test: [task] },
  };
}

/** A service whose calls are answered, and graded, as a test says. */
function newService(changes: Partial<Pick<Cast, 'start' | 'step' | 'grade'>> = {}) {
  const graded: GradeInput[] = [];
  const { toInfo } = getBenchmark('orders:solo').grading;
  const service = {
    start: () => Promise.resolve({ firstMessage: 'Cancel W1.', life: 'first' }),
    step: () => Promise.resolve({ observation: 'canceled', source: 'cancel_order', done: false, changed: true }),
    grade: () => Promise.resolve({ kind: 'graded', info: toInfo(DONE) } as const),
    ...changes,
  };
  const grade: Cast['grade'] = (input) => {
    graded.push(input);
    return service.grade(input);
  };
  return { ...service, grade, graded };
}

const CANCEL = calling(['cancel_order', { order: 'W1' }]);
const solo = async (changes: Partial<EvaluationConfig> = {}) => stagedConfig(changes, await packOf('solo'));
const tau2 = async (changes: Partial<EvaluationConfig> = {}) => stagedConfig(changes, await packOf('tau2'));

describe('an episode without a user', () => {
  it('opens with the task, and ends with the agent’s first words', async () => {
    const { complete, heard } = playLines({ agent: [CANCEL, 'It is canceled.'], user: [] });
    const { graded, ...service } = newService();
    const { summary, record, taken } = await stageEpisode({ config: await solo() }, { complete, ...service });
    expect(summary).toMatchObject({ outcome: 'agent_stop', reward: 0.5, steps: 2 });
    expect(heard.user).toEqual([]);
    expect(heard.agent[0]?.at(-1)).toMatchObject({ role: 'user', content: 'Cancel W1.' });
    expect(taken).toMatchObject([{ life: 'first', maxRetries: 3, writes: [] }]);
    expect(graded[0]?.service).toMatchObject({
      endedBy: 'agent_stop',
      writes: [{ name: 'cancel_order' }],
      life: 'first',
    });
    expect(record.diagnostics?.parts).toEqual(DONE.parts);
    expect(record.trajectory.at(-1)).toMatchObject({ role: 'assistant', content: 'It is canceled.' });
  });

  it('ends when the environment says so', async () => {
    const { complete } = playLines({ agent: [CANCEL], user: [] });
    const step = () => Promise.resolve({ observation: 'done', source: 'cancel_order', done: true, changed: true });
    const { summary } = await stageEpisode({ config: await solo() }, { complete, ...newService({ step }) });
    expect(summary).toMatchObject({ outcome: 'agent_stop', reward: 0.5, steps: 1 });
  });
});

describe('an environment service', () => {
  const TALK = { agent: [CANCEL, 'It is canceled.'], user: ['Please cancel W1.', STOP] };

  it('is waited for like a provider when it is away', async () => {
    let failures = 1;
    const { step } = newService();
    const away = failing(FailureType.EnvironmentUnavailable, 'no answer', { apiFailures: 4 });
    const { complete } = playLines(TALK);
    const config = await tau2({ outageTimeoutMs: 60_000 });
    const held: HeldCall[] = [];
    const holder = releasingHolder(config, (call) => held.push(call));
    const service = newService({ step: (given) => (failures-- > 0 ? away() : step(given)) });
    let isFirst = true;
    const answer: Cast['complete'] = (call, messages) => {
      if (!isFirst) return complete(call, messages);
      isFirst = false;
      return away();
    };
    const { summary, taken } = await stageEpisode({ config }, { complete: answer, holder, ...service });
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 0.5 });
    expect(held).toMatchObject([
      { call: 'user 1', provider: 'environment-service' },
      { call: 'call 1 of the environment', provider: 'environment-service' },
    ]);
    expect(taken.map(({ maxRetries }) => maxRetries)).toEqual([3, 0]);
  });

  it.each([FailureType.EnvironmentRefused, FailureType.EnvironmentInvalid, FailureType.EnvironmentDiverged])(
    'ends the episode as infrastructure: %s',
    async (type) => {
      const { complete } = playLines(TALK);
      const service = newService({ step: failing(type, 'its words') });
      const { summary, record } = await stageEpisode({ config: await tau2() }, { complete, ...service });
      expect(summary).toMatchObject({ outcome: 'infrastructure_error', fault: type, reward: 0 });
      expect(record.outcome).toMatchObject({ message: 'its words' });
    },
  );

  it('says the first words of the user under tau-bench’s rules', async () => {
    const { complete, heard } = playLines({ agent: [CANCEL, 'It is canceled.'], user: [STOP] });
    const config = await stagedConfig({}, await packOf('tau-bench'));
    const { summary, record } = await stageEpisode({ config }, { complete, ...newService() });
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 0.5 });
    expect(record.trajectory.find(({ role }) => role === 'user')).toMatchObject({ content: 'Cancel W1.' });
    expect(heard.user.map((messages) => messages.at(-2))).toMatchObject([{ role: 'assistant', content: 'Cancel W1.' }]);
  });

  it('leaves the first words to the user in a run of an earlier version', async () => {
    const { complete } = playLines({ agent: [CANCEL, 'It is canceled.'], user: ['Hello.', STOP] });
    const config = await stagedConfig({}, await packOf('tau-bench'));
    const { record } = await stageEpisode({ config, version: 3 }, { complete, ...newService() });
    expect(record.trajectory.find(({ role }) => role === 'user')).toMatchObject({ content: 'Hello.' });
  });

  it('that has lost the episode plays it anew, at most three times', async () => {
    const { complete } = playLines({ agent: [CANCEL], user: ['Please cancel W1.'] });
    let lives = 0;
    const service = newService({
      start: () => Promise.resolve({ life: `life ${(lives += 1)}` }),
      step: failing(FailureType.EnvironmentLost, 'it was restarted'),
    });
    const { summary, record, taken } = await stageEpisode({ config: await tau2() }, { complete, ...service });
    expect(summary).toMatchObject({ outcome: 'infrastructure_error', fault: FailureType.EnvironmentLost });
    expect(taken.map(({ life }) => life)).toEqual(['life 1', 'life 2', 'life 3', 'life 4']);
    expect(record.counts).toMatchObject({ environment_restarts: 3 });
    expect(record.abandoned).toHaveLength(3);
  });

  it('grades again with the verdicts of the run’s judge', async () => {
    const { toInfo } = getBenchmark('orders:tau2').grading;
    const grade: Cast['grade'] = ({ service }) => {
      const checks = [{ wanted: SENTENCE, isMet: service?.verdicts?.[0]?.met ?? null }];
      const parts = [{ kind: 'sentences', counts: true, checks }] as const;
      return Promise.resolve({ kind: 'graded', info: toInfo({ reward: service?.verdicts ? 0.75 : 1, parts }) });
    };
    const results = [{ expectedOutcome: SENTENCE, reasoning: 'It does.', metExpectation: true }];
    const { complete } = playLines({ ...TALK, judge: [JSON.stringify({ results })] });
    const config = await tau2({ judgeModel: scripted('judge') });
    const { summary, record } = await stageEpisode({ config }, { complete, ...newService({ grade }) });
    expect(summary.reward).toBe(0.75);
    expect(record.diagnostics?.parts?.[0]?.checks).toEqual([{ wanted: SENTENCE, isMet: true, reason: 'It does.' }]);
  });
});
