import { expect, it } from 'vitest';
import { analyzeEpisode } from '../../src/analysis/index.ts';
import type { Message } from '../../src/agents/index.ts';
import type { TrajectoryForm } from '../../src/benchmarks/index.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { episodeOfRecord, formOfRecord, reanalyzeEntry, reanalyzedRow } from '../../src/results/regrade/index.ts';
import { buildEpisodeRecord, recordCodec } from '../../src/run-log/index.ts';
import { CANCEL, moveTo, say, taskOf } from '../analysis/attribution/episodes.ts';
import { shop } from '../benchmarks/helpers.ts';
import { CONFIG, recordInput, stepMetric } from './fixtures.ts';
import { entry, play } from './regrade/episodes.ts';

const task = taskOf([moveTo('2000'), CANCEL], ['never said']);
const pack: Pack = {
  ...shop,
  ref: { name: 'shop', digest: CONFIG.pack.digest, path: '/packs/shop' },
  source: 'test',
  licence: 'MIT',
  policy: '',
  tools: [],
  userPrompts: { greeting: '', strategies: {} },
  agentPrompts: {},
  splits: { test: [task] },
};
const actions = [moveTo('2000.0'), say('Anything else?')];

/** A failed episode, and the messages that its record has. */
function recorded(form: TrajectoryForm, strategy: string, agentFile?: { digest: string }) {
  const { messages } = play(shop, actions, [], form);
  const strategyOptions = {
    ...CONFIG.strategyOptions,
    ...(agentFile === undefined ? {} : { agentFile: { ...agentFile, path: '/agent.ts' } }),
  };
  const input = recordInput({
    config: { ...CONFIG, strategy, strategyOptions },
    episode: { taskId: 0, trial: 0 },
    reward: 0,
    grade: null,
    steps: [stepMetric(1, 'modify_user_address'), stepMetric(2, 'respond')],
  });
  const record = buildEpisodeRecord(input, {
    task,
    messages: messages as readonly Message[],
    actions,
    analyze: (made) => analyzeEpisode(pack, episodeOfRecord(made, form)),
  });
  return { record: recordCodec.read(recordCodec.write(record)), messages };
}

it.each([
  ['tools', 'tool-calling', undefined],
  ['text', 'react', undefined],
  ['text', 'tool-calling', { digest: 'cd'.repeat(32) }],
] as const)('of a record gives what is in it: %s, %s, agent file %j', (form, strategy, agentFile) => {
  const { record, messages } = recorded(form, strategy, agentFile);
  const analysis = record.analysis;
  expect(analysis?.faults.map(({ kind, step, given }) => [kind, step, given])).toEqual([
    ['number_spelling', 1, '2000.0'],
    ['missing_write', 2, null],
    ['missing_output', 2, null],
  ]);
  expect(analyzeEpisode(pack, episodeOfRecord(record, formOfRecord(record)))).toEqual(analysis);
  const foreign = reanalyzeEntry(entry(messages), pack, 'test', form);
  expect(foreign?.faults).toEqual(analysis?.faults);
  expect(foreign?.differences).toEqual(analysis?.differences);
});

it('of a results file’s entry needs the pack to have its task', () => {
  const { messages } = play(shop, actions);
  expect(reanalyzeEntry({ ...entry(messages), task_id: 7 }, pack, 'test', 'tools')).toBeUndefined();
  expect(reanalyzeEntry(entry(messages), pack, 'dev', 'tools')).toBeUndefined();
});

it('of an entry that ran out of steps says if everything was right by then, as its replay does', () => {
  const right = { ...task, outputs: [] };
  const packed = { ...pack, splits: { test: [right] } };
  const wanted = [moveTo('2000'), CANCEL, say('Anything else?')];
  const { messages } = play(shop, wanted, ['One thing more.']);
  const row = (fields: object) => reanalyzedRow(entry(messages, fields), packed, 'test', 'tools');
  const cut = row({ info: { reward_info: null } });
  expect([cut.outcome, cut.wouldHavePassed]).toEqual(['max_steps', true]);
  expect(row({}).wouldHavePassed).toBe(false);
  const early = play(shop, [moveTo('2000'), say('Anything else?')], ['One thing more.']).messages;
  const failed = reanalyzedRow(entry(early, { info: { reward_info: null } }), packed, 'test', 'tools');
  expect([failed.outcome, failed.wouldHavePassed]).toEqual(['max_steps', false]);
});

it('of an entry whose data differ in the spelling of a number says so', () => {
  const spelled = { ...task, outputs: [], actions: [moveTo('2000'), CANCEL] };
  const { messages } = play(shop, [moveTo('2000.0'), CANCEL, say('Done.')]);
  const packed = { ...pack, splits: { test: [spelled] } };
  expect(reanalyzedRow(entry(messages), packed, 'test', 'tools').numberSpellingOnly).toBe(true);
});
