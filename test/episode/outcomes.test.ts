/** Outcomes of episodes: grades, errors of the agent, the user and the infrastructure, and their records. */

import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/benchmarks/index.ts';
import { dumpJson } from '../../src/benchmarks/python/index.ts';
import { FailureType, type EvaluationConfig, type TranscriptDelta } from '../../src/evaluation/index.ts';
import type { EpisodeInput } from '../../src/episode/index.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { calling, STOP } from '../workflows/models.ts';
import { playLines, type Line } from './models.ts';
import { failing, findPack, stageEpisode, stagedConfig, type Cast } from './stage.ts';

const isWrite = ({ name }: Action) => /^(exchange|cancel|modify|return)_/.test(name);
const write = (await findPack('retail')).splits['test']?.[0]?.actions.find(isWrite);
if (write === undefined) throw new Error('the task has no write');
/** The action of the first task's ground truth that changes the data. */
const WRITE = calling([write.name, dumpJson(write.kwargs)]);
const LOOK = calling(['get_order_details', { order_id: '#W5053173' }]);

async function play(
  lines: Parameters<typeof playLines>[0],
  config: Partial<EvaluationConfig> = {},
  { cast, ...input }: Partial<EpisodeInput> & { readonly cast?: Partial<Cast> } = {},
) {
  const model = playLines(lines);
  const staged = await stageEpisode(
    { config: await stagedConfig(config), ...input },
    { complete: model.complete, ...cast },
  );
  return { ...staged, heard: model.heard };
}

const roles = (messages: readonly { readonly role: string }[]) => messages.map(({ role }) => role);

describe('an episode', () => {
  it('that the user ends is graded, recorded and summed up', async () => {
    const { summary, record, activities } = await play({ agent: [WRITE, 'Hello.'], user: ['Hi.', STOP] });
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop', error: null, steps: 2, turns: 1, calls: 4 });
    expect(summary.agentCostUsd).toBeCloseTo(0.002);
    expect(summary.userCostUsd).toBeCloseTo(0.002);
    expect(roles(record.trajectory)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect(activities).toEqual([
      'user opens',
      'agent call 1',
      expect.stringMatching(/^step 1: \w+ \S+$/),
      'agent call 2',
      'user replies',
      'grade task 0',
      'record user_stop, reward 1',
    ]);
  });

  it('shows its live transcript as Markdown', async () => {
    const { shown } = await play({ agent: [LOOK, 'Found it.'], user: ['Hi.', STOP] });
    expect(shown.split('\n\n')).toEqual([
      expect.stringMatching(/^Watch it: `npx tauflow view --log-dir .+`, then \[(.+)\]\(\1\)$/),
      '**user**: Hi.',
      '**step 1**: `get_order_details {"order_id": "#W5053173"}`',
      expect.stringMatching(/^\*\*observation\*\*: `.*`$/),
      '**reply**: Found it.',
      `**user**: ${STOP}`,
    ]);
  });

  it('that the agent hands over to people ends as transferred', async () => {
    const { summary } = await play({ agent: [calling(['transfer_to_human_agents', { summary: 'x' }])], user: ['Hi.'] });
    expect(summary).toMatchObject({ outcome: 'transferred', reward: 0, steps: 1 });
  });

  it('that is out of steps has reward 0, and its record says what the grade would have been', async () => {
    const { summary, record } = await play({ agent: [WRITE, 'Else?'], user: ['Hi.', 'Yes.'] }, { maxSteps: 2 });
    expect(summary).toMatchObject({ outcome: 'max_steps', reward: 0, steps: 2 });
    expect(record).toMatchObject({ reward: 0, rewardInfo: null, wouldBeGrade: { reward: 1 } });
  });

  it.each<[string, Line, string, string]>([
    ['malformed arguments', calling(['calculate', '{"expression": ']), 'invalid_tool_arguments', 'calculate'],
    ['a response without content', calling(['respond', {}]), 'missing_content', "'content'"],
    ['no words', ' \n', 'missing_content', 'the agent said nothing'],
  ])('whose agent writes %s ends with reward 0', async (_, line, error, message) => {
    const { summary, record, heard } = await play({ agent: [line], user: ['Hi.'] });
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0, steps: 0 });
    expect(record.outcome).toMatchObject({ kind: 'agent_error', error });
    expect(summary.error).toContain(message);
    expect(heard.user).toHaveLength(1);
  });

  it("whose agent writes without end is the agent's error, paid and recorded", async () => {
    const tooLong = { part: 'content', size: 70_000, limit: 65_536 } as const;
    const endless = () => Promise.resolve({ tooLong });
    const { summary, record } = await play({ agent: ['How can I help?', endless], user: ['Hi.', 'So.'] });
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0, steps: 1, calls: 4 });
    expect(record).toMatchObject({
      outcome: { error: 'reply_too_long' },
      longReplies: [{ role: 'agent', ...tooLong }],
    });
    expect(record.trajectory).toHaveLength(4);
  });

  it.each<[string, () => Promise<object>, string, string]>([
    [
      'writes without end',
      () => Promise.resolve({ tooLong: { part: 'content', size: 70_000, limit: 65_536 } }),
      FailureType.UserReplyTooLong,
      "simulated user: the model's reply has 70000 characters",
    ],
    ['gets too long a conversation', failing('ContextOverflow', '400 too long'), 'ContextOverflow', '400 too long'],
    ['is filtered', failing('ContentFilter', 'withheld'), 'ContentFilter', 'simulated user: withheld'],
  ])("is not blamed on the agent when the user's model %s", async (_, line, error, message) => {
    const { record } = await play({ agent: ['How can I help?'], user: ['Hi.', line] });
    expect(record.outcome).toMatchObject({ kind: 'infrastructure_error', error });
    expect(record.outcome).toHaveProperty('message', expect.stringContaining(message));
  });

  it('whose conversation outgrows what an episode can carry ends as one that does not fit the model', async () => {
    const { record } = await play({ agent: ['é'.repeat(60_000)], user: ['ü'.repeat(60_000)] });
    expect(record.outcome).toMatchObject({ kind: 'agent_error', error: 'context_overflow' });
    expect(record.steps.length).toBeGreaterThan(3);
  });

  it('whose words cannot be graded ends as an agent error', async () => {
    // Only a task with outputs looks at the words; 2 is the first of the shipped pack.
    const episode = { taskId: 2, trial: 0 };
    const lines = { agent: [calling(['respond', { content: 5 }])], user: ['Hi.', STOP] };
    const { record } = await play(lines, {}, { episode });
    expect(record).toMatchObject({ reward: 0, outcome: { kind: 'agent_error', error: 'ungradable_content' } });
  });

  it('whose model refuses ends as an infrastructure error', async () => {
    const { summary, record } = await play({ agent: [failing('NotAuthorised', '401')], user: ['Hi.'] });
    expect(summary).toMatchObject({ outcome: 'infrastructure_error', fault: 'NotAuthorised', error: '401', calls: 1 });
    expect(record.outcome).toEqual({ kind: 'infrastructure_error', error: 'NotAuthorised', message: '401' });
  });

  it('whose user cannot be opened is recorded without a conversation', async () => {
    const { record } = await play({ user: [failing('NotAuthorised', '401')] });
    expect(record).toMatchObject({ trajectory: [], outcome: { kind: 'infrastructure_error' } });
  });

  it('that cannot be recorded has no reward', async () => {
    const record = failing('LogDir', 'no space left on device');
    const { summary } = await play({ agent: [WRITE, 'Hello'], user: ['Hi.', STOP] }, {}, { cast: { record } });
    expect(summary).toMatchObject({
      ...{ outcome: 'infrastructure_error', fault: 'RecordFailed', reward: 0, calls: 4 },
      error: "the episode's record could not be written: no space left on device",
    });
  });

  it('without words is spoken to the user as silence in a run of an earlier version', async () => {
    const lines = { agent: [null, '', 'Bye'], user: ['Hi.', 'What?', 'Hm?', STOP] };
    const { summary, heard } = await play(lines, {}, { version: 2 });
    expect(summary).toMatchObject({ outcome: 'user_stop', turns: 3, steps: 3 });
    const last = heard.user.at(-1)?.filter(({ role }) => role === 'user');
    expect(last?.slice(1).map(({ content }) => content)).toEqual(['', '', 'Bye']);
  });

  it('whose agent calls two tools at once takes the first one', async () => {
    const both = calling(['calculate', { expression: '1 + 1' }], ['calculate', { expression: '2 + 2' }]);
    const { summary, heard } = await play({ agent: [both, 'Bye'], user: ['Hi.', STOP] });
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(heard.agent.at(-1)?.at(-1)).toMatchObject({ role: 'tool', content: '2.0' });
  });

  it('whose agent calls a tool that does not exist goes on', async () => {
    const { summary, activities } = await play({
      agent: [calling(['fly', { to: 'moon' }]), 'Bye'],
      user: ['Hi.', STOP],
    });
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(activities).toContain('step 1: fly moon');
  });
});

/** A worker that has just been started, at every call. */
class ForgetfulStore extends TranscriptStore {
  override resolve(key: string, delta: TranscriptDelta) {
    return delta.keep === 0 ? super.resolve(key, delta) : undefined;
  }
}

describe('the transcript', () => {
  it('is sent once, and whole to a worker that does not know it, with the same result', async () => {
    const played = async (transcripts: TranscriptStore) => {
      const lines = { agent: [LOOK, 'Found it.', 'Bye.'], user: ['Hi.', 'Good.', STOP] };
      const { summary, record, asked, heard } = await play(lines, {}, { cast: { transcripts } });
      const keeps = asked.flatMap(({ role, transcript: { keep } }) => (role === 'agent' ? [keep] : []));
      return { keeps, outcome: summary.outcome, hasMissed: summary.hasMissed, trajectory: record.trajectory, heard };
    };
    const { keeps, ...remembering } = await played(new TranscriptStore());
    const { keeps: repeated, ...forgetting } = await played(new ForgetfulStore());
    expect(keeps).toEqual([0, 2, 4]);
    // After the miss of the second call, the third one carries everything.
    expect(repeated).toEqual([0, 2, 0, 0]);
    expect(forgetting).toEqual({ ...remembering, hasMissed: true });
  });
});
