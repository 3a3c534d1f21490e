/** A fork with the same model ends as its origin, whichever step it begins at. */

import { describe, expect, it } from 'vitest';

import type { EpisodeRecord } from '../../src/run-log/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { forkStaged, playStaged, type PlayedEpisode } from './forks.ts';
import type { Trouble } from './models.ts';
import { PlayedFailure, scripted, stagedConfig } from './stage.ts';

/** Facts that must be equal; latencies, ids and usage are a fork's own. */
function resultOf({ actions, trajectory, outcome, reward, rewardInfo, steps, counts }: EpisodeRecord) {
  return {
    actions,
    trajectory,
    outcome,
    reward,
    rewardInfo,
    steps: steps.map(({ durationMs: _, thinkMs: __, ...step }) => step),
    counts,
  };
}

/** Forks at every step, and returns how often. */
async function forkEverywhere(origin: PlayedEpisode, trouble?: Trouble): Promise<number> {
  const { record, replies } = origin;
  const last = record.steps.length + (record.outcome.kind === 'agent_error' ? 1 : 0);
  for (let atStep = 1; atStep <= last; atStep++) {
    const fork = await forkStaged(origin, { atStep }, {}, trouble);
    expect(resultOf(fork.record), `step ${atStep}`).toEqual(resultOf(record));
    expect(fork.asked.length, `calls of the fork at step ${atStep}`).toBe(
      replies.length - (fork.record.fork?.replayedCalls ?? NaN),
    );
    expect(fork.record.usage.reduce((sum, { calls }) => sum + calls, 0)).toBeLessThanOrEqual(fork.asked.length);
    // The opening is never asked for again, and more is kept the later the fork begins.
    expect(fork.record.fork?.replayedCalls).toBeGreaterThanOrEqual(atStep);
  }
  return last;
}

const CASES: readonly (readonly [title: string, changes: Partial<EvaluationConfig>, tasks: number, trials: number])[] =
  [
    ['tool-calling in retail, one in five failing', { agentModel: scripted('oracle:0.8') }, 8, 2],
    ['tool-calling in airline, most failing', { env: 'airline', agentModel: scripted('oracle:0.2') }, 8, 1],
    [
      'fastworkflow in retail, one in five failing',
      { strategy: 'fastworkflow', agentModel: scripted('oracle:0.8') },
      8,
      2,
    ],
    [
      'fastworkflow in retail with commands as models word them',
      { strategy: 'fastworkflow', agentModel: scripted('oracle:0.5+natural') },
      10,
      2,
    ],
    [
      'fastworkflow in airline with commands as models word them',
      { strategy: 'fastworkflow', env: 'airline', agentModel: scripted('oracle+natural') },
      6,
      1,
    ],
  ];

describe('a fork with the same model is its origin once more, at every step', () => {
  it.each(CASES)('%s', { timeout: 120_000 }, async (_, changes, tasks, trials) => {
    const config = await stagedConfig(changes);
    const outcomes = new Set<string>();
    let forks = 0;
    for (let taskId = 0; taskId < tasks; taskId++) {
      for (let trial = 0; trial < trials; trial++) {
        const origin = await playStaged({ config, episode: { taskId, trial } });
        outcomes.add(`${origin.record.outcome.kind} ${origin.record.reward}`);
        forks += await forkEverywhere(origin);
      }
    }
    expect(outcomes).toContain('user_stop 1');
    expect(forks).toBeGreaterThan(tasks * trials * 2);
  });

  it('the cases hold failures, and questions about commands', async () => {
    const failing = await stagedConfig({ agentModel: scripted('oracle:0') });
    const { record } = await playStaged({ config: failing, episode: { taskId: 1, trial: 0 } });
    expect(record.reward).toBe(0);
    const natural = await stagedConfig({ strategy: 'fastworkflow', agentModel: scripted('oracle+natural') });
    const counts: Record<string, number> = {};
    for (let taskId = 0; taskId < 10; taskId++) {
      const played = await playStaged({ config: natural, episode: { taskId, trial: 0 } });
      for (const { role } of played.replies) counts[role] = (counts[role] ?? 0) + 1;
    }
    expect(counts['agent/clarification']).toBeGreaterThan(0);
  });

  it('also where a call failed in a way that the strategy answers with another one', async () => {
    const config = await stagedConfig({ strategy: 'fastworkflow' });
    // Three commands with their answers fit into the model's context window, wherever the fork begins.
    const trouble: Trouble = ({ role }, prompt) =>
      role === 'agent' && prompt.split('## observation_').length > 4
        ? new PlayedFailure('ContextOverflow', '400 too long')
        : undefined;
    const origin = await playStaged({ config, episode: { taskId: 6, trial: 0 } }, trouble);
    expect(origin.replies.filter(({ result }) => result.kind === 'failure').length).toBeGreaterThan(0);
    expect(origin.record.counts['trajectory_truncations']).toBeGreaterThan(0);
    await forkEverywhere(origin, trouble);
  });

  it('also of a fork', async () => {
    const config = await stagedConfig({ strategy: 'fastworkflow', agentModel: scripted('oracle+natural') });
    const origin = await playStaged({ config, episode: { taskId: 6, trial: 0 } });
    const fork = await forkStaged(origin, { atStep: 3 });
    await forkEverywhere(fork);
  });
});
