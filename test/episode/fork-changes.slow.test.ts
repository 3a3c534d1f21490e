/** Changes that a fork may make, and what stays. */

import { describe, expect, it } from 'vitest';

import { repliesInRecord } from '../../src/run-log/index.ts';
import { episodeSeed, type EvaluationConfig } from '../../src/evaluation/index.ts';
import { forkStaged, playStaged, type PlayedEpisode } from './forks.ts';
import { scripted, stagedConfig } from './stage.ts';

/** Task 6 of the shipped pack: two writes and a calculation. */
async function play(changes: Partial<EvaluationConfig> = {}, taskId = 6): Promise<PlayedEpisode> {
  return playStaged({ config: await stagedConfig(changes), episode: { taskId, trial: 0 } });
}

const calls = ({ asked }: PlayedEpisode) => asked.map(({ role }) => role);

describe('another model', () => {
  it.each(['tool-calling', 'fastworkflow'])('makes a failure of %s a success', async (strategy) => {
    const origin = await play({ strategy, agentModel: scripted('oracle:0') });
    expect(origin.record.reward).toBe(0);
    const perfect = await play({ strategy });
    const mistake = perfect.record.actions.findIndex(
      (action, at) => JSON.stringify(origin.record.actions[at]) !== JSON.stringify(action),
    );
    const fork = await forkStaged(origin, { atStep: mistake + 1 }, { agentModel: scripted('oracle') });
    expect(fork.record).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });
    expect(fork.record.actions).toEqual(perfect.record.actions);
    expect(new Set(fork.asked.filter(({ role }) => role !== 'user').map(({ model }) => model.model))).toEqual(
      new Set(['oracle']),
    );
  });

  it('of the simulated user answers from there on; the opening stays', async () => {
    const origin = await play();
    const fork = await forkStaged(origin, { atStep: 1 }, { userModel: scripted('other') });
    expect(fork.asked[0]?.role).toBe('agent');
    expect(fork.asked.filter(({ role }) => role === 'user').map(({ model }) => model.model)).toEqual(['other']);
  });
});

describe('a replayed step', () => {
  it('has the durations that it had in the origin, and one that is taken anew its own', async () => {
    const played = await play();
    const steps = played.record.steps.map((step) => ({ ...step, durationMs: 7_000 + step.index, thinkMs: 90_000 }));
    const origin = { ...played, record: { ...played.record, steps } };
    for (const strategy of ['tool-calling', 'fastworkflow']) {
      const { record } = await forkStaged(origin, { atStep: 4, strategy }, { strategy });
      expect(record.steps.slice(0, 3)).toEqual(steps.slice(0, 3));
      for (const { durationMs: duration, thinkMs: think } of record.steps.slice(3)) {
        expect(duration).toBeLessThan(7_000);
        expect(think).toBeLessThan(90_000);
      }
    }
  });
});

describe('a budget', () => {
  it('ends the fork before the call after the one that spent it', async () => {
    const origin = await play();
    const fork = await forkStaged(origin, { atStep: 3, maxCostUsd: 0 });
    expect(fork.asked).toEqual([]);
    expect(fork.record.outcome).toMatchObject({ kind: 'infrastructure_error', error: 'BudgetSpent' });
    expect(fork.record.steps).toHaveLength(2);
  });

  it('that is not spent changes nothing', async () => {
    const origin = await play();
    const fork = await forkStaged(origin, { atStep: 3, maxCostUsd: 1 });
    expect(fork.record.actions).toEqual(origin.record.actions);
  });
});

describe('another seed', () => {
  it('goes with every call that is made', async () => {
    const origin = await play();
    const fork = await forkStaged(origin, { atStep: 3 }, { seed: 99 });
    expect(new Set(fork.asked.map(({ seed }) => seed))).toEqual(new Set([episodeSeed(99, { taskId: 6, trial: 0 })]));
    expect(fork.record.config.seed).toBe(99);
  });
});

describe('a corrected observation', () => {
  it('is what the agent reads, and changes no data', async () => {
    const origin = await play();
    const at = origin.record.steps.findIndex(({ changed }) => changed);
    const fork = await forkStaged(origin, { atStep: at + 2, observation: 'Error: no such thing' });
    const shown = fork.record.trajectory.filter(({ role }) => role === 'tool')[at];
    expect(shown?.content).toBe('Error: no such thing');
    expect(fork.asked[0]?.transcript.items.at(-1)).toMatchObject({ content: 'Error: no such thing' });
    expect(fork.record.steps[at]?.changed).toBe(true);
    // The scripted agent does not mind, so the data must come out right.
    expect(fork.record.reward).toBe(1);
  });

  it('of the opening is the first thing that the agent hears', async () => {
    const origin = await play();
    const opening = `Good day. ${origin.record.trajectory[1]?.content ?? ''}`;
    const fork = await forkStaged(origin, { atStep: 1, observation: opening });
    expect(fork.record.trajectory[1]).toEqual({ role: 'user', content: opening });
  });

  it('of the user can keep them from leaving, and is what both continue from', async () => {
    const origin = await play();
    const { steps } = origin.record;
    const said = 'One more question.';
    const fork = await forkStaged(origin, { atStep: steps.length + 1, observation: said });
    expect(fork.record.steps.length).toBeGreaterThan(steps.length);
    const [agent] = fork.asked;
    expect(agent?.transcript.items.at(-1)).toEqual({ role: 'user', content: said });
    const user = fork.asked.find(({ role }) => role === 'user');
    expect(user?.transcript.items.at(-2)).toEqual({ role: 'assistant', content: said });
  });

  it('stays when the fork is forked after it', async () => {
    const origin = await play();
    const fork = await forkStaged(origin, { atStep: 3, observation: 'Odd.' });
    const again = await forkStaged(fork, { atStep: 4 });
    expect(again.record.fork?.corrections).toEqual([{ step: 2, observation: 'Odd.' }]);
    expect(again.record.trajectory).toEqual(fork.record.trajectory);
  });
});

describe('another strategy', () => {
  it.each([
    ['tool-calling', 'fastworkflow'],
    ['fastworkflow', 'tool-calling'],
    ['react', 'tool-calling'],
    ['act', 'fastworkflow'],
  ])('takes over from %s at any step: %s', async (before, strategy) => {
    const origin = await play({ strategy });
    const played = await play({ strategy: before });
    for (let atStep = 2; atStep <= played.record.steps.length; atStep++) {
      const fork = await forkStaged(played, { atStep, strategy }, { strategy });
      const { record } = fork;
      expect(record.actions.slice(0, atStep - 1), `step ${atStep}`).toEqual(played.record.actions.slice(0, atStep - 1));
      expect(record.steps.slice(0, atStep - 1).map(({ durationMs: _, thinkMs: __, ...step }) => step)).toEqual(
        played.record.steps.slice(0, atStep - 1).map(({ durationMs: _, thinkMs: __, ...step }) => step),
      );
      expect(record, `step ${atStep}`).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });
      expect(record.actions).toEqual(origin.record.actions);
      // The agent's calls are all the new strategy's: none was replayed to it.
      expect(record.fork?.takenOver).toBe(atStep - 1);
      expect(record.fork?.replayedCalls).toBe(1);
    }
  });

  it('sees the turns that have ended summed up, and continues the one under way', async () => {
    const played = await play({ agentModel: scripted('oracle:0.8') });
    const { steps } = played.record;
    const fork = await forkStaged(
      played,
      { atStep: steps.length + 1, strategy: 'fastworkflow', observation: 'One more question.' },
      { strategy: 'fastworkflow' },
    );
    expect(calls(fork).slice(0, 2)).toEqual(['agent/summary', 'agent/planner']);
    expect(fork.record.counts['turns']).toBe(2);
  });

  it('can be forked like any other, also before it took over', async () => {
    const played = await play();
    const taken = await forkStaged(played, { atStep: 4, strategy: 'fastworkflow' }, { strategy: 'fastworkflow' });
    for (const atStep of [2, 4, 6]) {
      const again = await forkStaged(taken, { atStep, strategy: 'fastworkflow' });
      expect(again.record.actions).toEqual(taken.record.actions);
      expect(again.record.fork?.takenOver).toBe(Math.min(3, atStep - 1));
    }
  });
});

describe('what the record alone shows', () => {
  it('is all of an episode whose trajectory is its conversation', async () => {
    const origin = await play({ agentModel: scripted('oracle:0.8') });
    const replies = repliesInRecord(origin.record);
    expect(replies?.map(({ role, thread }) => `${role} ${thread}`)).toEqual(
      origin.replies.map(({ role, thread }) => `${role} ${thread}`),
    );
    for (let atStep = 1; atStep <= origin.record.steps.length; atStep++) {
      const fork = await forkStaged({ ...origin, replies: replies ?? [] }, { atStep });
      expect(fork.record.trajectory).toEqual(origin.record.trajectory);
    }
  });

  it('is not enough of one with planning and reasoning', async () => {
    expect(repliesInRecord((await play({ strategy: 'fastworkflow' })).record)).toBeNull();
  });
});

describe('a fork whose strategy goes another way in the replayed prefix', () => {
  it('ends at once where another call is made', async () => {
    const origin = await play({ strategy: 'fastworkflow' });
    const replies = origin.replies.filter(({ role }) => role !== 'agent/planner');
    const fork = await forkStaged({ ...origin, replies }, { atStep: 3 });
    expect(fork.asked).toEqual([]);
    expect(fork.record.outcome).toMatchObject({
      kind: 'infrastructure_error',
      error: 'ForkDiverged',
      message: expect.stringContaining('call 2 is one of agent/planner in') as string,
    });
  });

  it('ends at once where another step is taken', async () => {
    const origin = await play();
    const other = await play({}, 2);
    const fork = await forkStaged({ ...origin, replies: other.replies }, { atStep: 4 });
    expect(fork.record.outcome).toMatchObject({ kind: 'infrastructure_error', error: 'ForkDiverged' });
    expect(fork.asked).toEqual([]);
  });

  it('ends at once where replies are missing', async () => {
    const origin = await play();
    const fork = await forkStaged({ ...origin, replies: origin.replies.slice(0, 2) }, { atStep: 4 });
    expect(fork.record.outcome).toMatchObject({
      error: 'ForkDiverged',
      message: expect.stringContaining('where the origin made none any more') as string,
    });
  });
});
