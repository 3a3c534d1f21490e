/**
 * FastWorkflow's whole pipeline over the benchmark's own environment: planner, loop, understanding of commands,
 * bridge, grading. The model plays the ground truth, but words its commands as models do.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { toolCalling } from '../../src/agents/testing.ts';
import { RESPOND, type Task } from '../../src/benchmarks/index.ts';
import { formatPackKey, readPack, type Pack } from '../../src/benchmarks/testing.ts';
import { computeMetrics } from '../../src/results/metrics/index.ts';
import type { EpisodeRow } from '../../src/run-log/index.ts';
import { describeWithReference } from '../helpers/reference.ts';
import { callTable } from '../scripted-model/episodes.ts';
import { indexed } from '../scripted-model/helpers.ts';
import { commandsOf, failedTasks, shown, Stage, sumCounts, type Graded } from './fastworkflow-stage.ts';

/** Counted while a command was understood that needs more than a reader of names and tags. */
const BEYOND_SYNTAX = ['extractions', 'clarifications', 'intent_ranked', 'intent_learned'];

function shareBeyondSyntax(episodes: readonly Graded[]): number {
  const commands = episodes.flatMap((episode) => episode.commands);
  const beyond = commands.filter(({ counts }) => BEYOND_SYNTAX.some((name) => (counts[name] ?? 0) > 0));
  return beyond.length / commands.length;
}

const EVERY_WAY = [
  'intent_exact',
  'intent_prefix',
  'intent_fuzzy',
  'intent_learned',
  'intent_ranked',
  'intent_clarified',
  'intent_misunderstood',
  'clarifications',
  'escalations',
  'extractions',
];

/** @param ways of understanding that are taken: too few commands leave one out */
function provesThePipeline(load: () => Promise<Pack>, ways: readonly string[] = EVERY_WAY): void {
  let stage: Stage;
  let natural: Graded[];
  beforeAll(async () => {
    stage = new Stage(await load());
    natural = await stage.playAll();
  });

  it('every task is solved with commands as models word them', () => {
    expect(failedTasks(natural)).toEqual([]);
  });

  it('the environment sees the ground truth, command by command, whatever they were worded like', () => {
    for (const episode of natural) {
      expect({ task: episode.taskId, commands: commandsOf(episode) }).toEqual({
        task: episode.taskId,
        commands: stage.groundTruth(episode.taskId),
      });
    }
  });

  it('more than a third of the commands need more than a reader of names and tags', () => {
    expect(shareBeyondSyntax(natural)).toBeGreaterThan(1 / 3);
  });

  it('every way of understanding a command is taken', () => {
    const counts = sumCounts(natural);
    expect(ways.filter((name) => (counts[name] ?? 0) === 0)).toEqual([]);
  });

  it('an agent that does not think, with a model in the place of the ranker, comes to the same', async () => {
    const episodes = await stage.playAll({ options: { useReasoning: false, intentRanker: 'llm' } });
    expect(failedTasks(episodes)).toEqual([]);
    expect(episodes.map(commandsOf)).toEqual(natural.map(commandsOf));
  });

  it('a model that sees no more than its last steps comes to the same', async () => {
    const episodes = await stage.playAll({ window: 4 });
    expect(sumCounts(episodes)['trajectory_truncations']).toBeGreaterThan(0);
    expect(failedTasks(episodes)).toEqual([]);
    expect(episodes.map(commandsOf)).toEqual(natural.map(commandsOf));
  });

  it('a model that errs fails in the same episodes, however it words its commands', async () => {
    for (const taskId of stage.taskIds) {
      const { reward } = await stage.play(taskId, { model: 'oracle:0.5+natural' });
      const code = { packKey: formatPackKey(stage.pack), split: 'test', taskId, seed: 10 };
      expect([taskId, reward]).toEqual([taskId, stage.responder.findFlaw(code, 0.5) === null ? 1 : 0]);
    }
  });

  it('exact commands need no model to be understood: a plan and an answer are all that is asked beside tool calls', async () => {
    const all = await stage.playAll({ model: 'oracle' });
    expect(failedTasks(all)).toEqual([]);
    // Some ground truths read the same three times, which is refused once.
    const isPlain = all.map(({ counts }) => counts['repeated_commands'] === undefined);
    const exact = all.filter((_, at) => isPlain[at]);
    const { intent_exact: recognised, ...others } = sumCounts(exact);
    expect(recognised).toBe(exact.reduce((sum, { commands }) => sum + commands.length, 0));
    expect([...EVERY_WAY, 'parameter_errors'].filter((name) => name in others)).toEqual([]);

    const called = await stage.playAll({ strategy: toolCalling, model: 'oracle' });
    const toolCalls = callTable(called.filter((_, at) => isPlain[at]));
    const tasks = (stage.pack.splits['test'] ?? []).filter((_, at) => isPlain[at]);
    // FastWorkflow has no command for thinking.
    const thoughts =
      tasks.flatMap(({ actions }) => actions.filter(({ name }) => name === 'think')).length / tasks.length;
    const { steps, roles } = callTable(exact);
    expect(steps).toBeCloseTo(toolCalls.steps - thoughts);
    expect(roles['agent']?.calls).toBeCloseTo((toolCalls.roles['agent']?.calls ?? 0) - thoughts);
    expect(roles['user']).toEqual(toolCalls.roles['user']);
    expect(Object.keys(roles)).toEqual(['agent', 'agent/extract', 'agent/planner', 'user']);
    expect(roles['agent/planner']?.calls).toBe(1);
  });
}

describeWithReference('FastWorkflow on the benchmark’s airline tasks', (dir) => {
  // In none of the 50 episodes is a word of the agent's own used twice.
  const ways = EVERY_WAY.filter((name) => name !== 'intent_learned');
  provesThePipeline(() => readPack(join(dir, 'airline')), ways);
});

describeWithReference('FastWorkflow on the benchmark’s test tasks', (dir) => {
  provesThePipeline(() => readPack(join(dir, 'retail')));
});

const shipped = fileURLToPath(new URL('../../data/retail', import.meta.url));
describe.skipIf(!existsSync(join(shipped, 'pack.json')))('FastWorkflow on the shipped pack', () => {
  provesThePipeline(() => readPack(shipped));
});

describe.skipIf(!existsSync(join(shipped, 'pack.json')))('One episode from end to end', () => {
  let stage: Stage;
  let task: Task;
  /** Five trials, of which the second and the fifth are drawn to fail. */
  let trials: Graded[];
  beforeAll(async () => {
    stage = new Stage(await readPack(shipped));
    const taskId = (stage.pack.splits['test'] ?? []).findIndex(({ outputs }) => outputs.length > 0);
    task = indexed(stage.pack, 'test', taskId).task;
    const isFlawless = (seed: number) =>
      stage.responder.findFlaw({ packKey: formatPackKey(stage.pack), split: 'test', taskId, seed }, 0.5) === null;
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    const right = seeds.filter(isFlawless);
    const wrong = seeds.filter((seed) => !isFlawless(seed));
    const drawn = [right[0], wrong[0], right[1], right[2], wrong[1]];
    trials = [];
    for (const seed of drawn) trials.push(await stage.play(taskId, { seed: seed ?? 0, model: 'oracle:0.5+natural' }));
  });

  it('takes the actions of the ground truth in their order, and gives the outputs that were asked for', () => {
    const [solved] = trials;
    if (solved === undefined) throw new Error('no trial was played');
    expect(commandsOf(solved)).toEqual(task.actions.filter(({ name }) => name !== 'think').map(shown));
    expect(solved.end).toBe('done');
    const words = solved.actions.findLast(({ name }) => name === RESPOND)?.kwargs.get('content');
    for (const output of task.outputs) expect(words).toContain(output);
  });

  it('is rewarded where it does, and nowhere else', () => {
    expect(trials.map(({ reward }) => reward)).toEqual([1, 0, 1, 1, 0]);
  });

  it('gives pass^k over its trials as the benchmark estimates it', () => {
    const { passHatK, averageReward } = computeMetrics(trials.map(rowOf)).errorsAsFailures;
    expect(averageReward).toBeCloseTo(0.6);
    expect(passHatK.map(({ k }) => k)).toEqual([1, 2, 3, 4, 5]);
    // C(3, k) / C(5, k)
    for (const [i, expected] of [3 / 5, 3 / 10, 1 / 10, 0, 0].entries()) {
      expect(passHatK[i]?.value).toBeCloseTo(expected);
    }
  });
});

function rowOf({ taskId, reward, actions, end }: Graded, trial: number): EpisodeRow {
  return {
    taskId,
    trial,
    reward,
    outcome: end === 'done' ? 'user_stop' : 'agent_error',
    steps: actions.length,
    turns: actions.filter(({ name }) => name === RESPOND).length,
    costUsd: null,
    roles: [],
    counts: {},
    durationMs: null,
    error: null,
    numberSpellingOnly: false,
    wouldHavePassed: false,
    tools: [],
  };
}
