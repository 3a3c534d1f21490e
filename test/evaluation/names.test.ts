import { describe, expect, it } from 'vitest';
import {
  episodeName,
  episodeWorkflowId,
  errorsWorkflowId,
  fairnessKey,
  forkName,
  laneWorkflowId,
  llmQueue,
  parseEpisodeName,
  parseForkableName,
  parseMainQueue,
  parseWorkflowId,
  providerQueues,
  sweepWorkflowId,
  taskQueues,
} from '../../src/evaluation/index.ts';

const RUNS = [
  'nightly',
  'tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_1121231500',
  'a@b=c+d.e',
  'task-1',
  'lane-0',
];

describe.each(RUNS)('a workflow of the run %s', (run) => {
  it('says which run it belongs to', () => {
    expect(parseWorkflowId(sweepWorkflowId(run))).toEqual({ run });
  });

  it('is its judge', () => {
    expect(parseWorkflowId(errorsWorkflowId(run))).toEqual({ run });
  });

  it('says which lane it is', () => {
    expect(parseWorkflowId(laneWorkflowId(run, 12))).toEqual({ run, lane: 12 });
  });

  it('says which task and trial it runs', () => {
    const id = episodeWorkflowId(run, { taskId: 17, trial: 3 });
    expect(parseWorkflowId(id)).toEqual({ run, task: 17, trial: 3 });
  });

  it('says which condition it runs, and which fork of it', () => {
    const id = episodeWorkflowId(run, { taskId: 17, trial: 3, condition: 'tool-errors' });
    expect(id).toBe(`${run}/task-17/trial-3/tool-errors`);
    const parts = { run, task: 17, trial: 3, condition: 'tool-errors' };
    expect(parseWorkflowId(id)).toEqual(parts);
    expect(parseWorkflowId(`${id}/fork-2`)).toEqual({ ...parts, fork: 2 });
  });

  it('says which fork of an episode it is', () => {
    const id = `${episodeWorkflowId(run, { taskId: 17, trial: 0 })}/fork-2`;
    expect(parseWorkflowId(id)).toEqual({ run, task: 17, trial: 0, fork: 2 });
  });
});

describe('a workflow that a schedule started', () => {
  it('has the time in its run', () => {
    const run = 'nightly-2026-11-21T02:00:00Z';
    expect(parseWorkflowId(`${run}/task-1/trial-0`)).toEqual({ run, task: 1, trial: 0 });
  });
});

describe('the name of an episode', () => {
  it.each([{}, { condition: 'tool-errors' }, { condition: 'user-claims' }])('is parsed with its fork: %j', (under) => {
    const episode = { taskId: 17, trial: 0, ...under };
    expect(parseEpisodeName(episodeName(episode))).toEqual(episode);
    expect(parseForkableName(forkName(episode, 'fork-2'))).toEqual({ episode, fork: 'fork-2' });
  });

  it.each(['base', 'errors', 'fork-1', '2', 'Tool', 'a.b', '', '../x', 'a'.repeat(41)])(
    'has no condition %j',
    (name) => {
      expect(parseEpisodeName(`task-1.trial-0.${name}`)).toBe(null);
    },
  );
});

describe("another program's workflow", () => {
  it.each(['orders/4711', 'orders/task-1/done', 'task-x/trial-1x', ''])('%j is a run of that name', (id) => {
    expect(parseWorkflowId(id)).toEqual({ run: id });
  });
});

const DIGEST = `0123456789ab${'c'.repeat(52)}`;

describe('task queues', () => {
  it('are as before for a run that names no endpoint', () => {
    const queues = taskQueues('tauflow');
    expect(queues).toEqual({ main: 'tauflow', llm: 'tauflow-llm' });
    expect(llmQueue(queues, 'openai')).toBe('tauflow-llm-openai');
  });

  it('name the endpoint of each provider that has one', () => {
    const queues = taskQueues('team', { endpoints: { openai: 'api.openai.com' } });
    expect(llmQueue(queues, 'openai')).toBe('team-llm-openai-api.openai.com');
    expect(llmQueue(queues, 'vllm')).toBe('team-llm-vllm');
    expect(llmQueue(queues, 'constructor')).toBe('team-llm-constructor');
  });

  it('are a run’s own where its agent is from a file, model calls included', () => {
    const queues = taskQueues('tauflow', { agentDigest: DIGEST });
    expect(queues).toEqual({ main: 'tauflow-agent-0123456789ab', llm: 'tauflow-agent-0123456789ab-llm' });
    expect(parseMainQueue(queues.main)).toEqual({ base: 'tauflow', agent: '0123456789ab' });
    expect(parseMainQueue('tauflow-agent')).toEqual({ base: 'tauflow-agent', agent: null });
  });

  it('of a worker are those of its endpoints, and the one for any endpoint', () => {
    const names = (served: Record<string, string[]>) =>
      providerQueues(taskQueues('tauflow'), 'scripted', served).map((queues) => llmQueue(queues, 'scripted'));
    expect(names({})).toEqual(['tauflow-llm-scripted']);
    expect(names({ scripted: ['a', 'b', 'a'], openai: ['c'] })).toEqual([
      'tauflow-llm-scripted',
      'tauflow-llm-scripted-a',
      'tauflow-llm-scripted-b',
    ]);
  });
});

describe('the fairness key of a run', () => {
  it('is its id where the server takes it', () => {
    expect(fairnessKey('nightly-1')).toBe('nightly-1');
    expect(fairnessKey('x'.repeat(64))).toBe('x'.repeat(64));
  });

  it('of a long id is short, begins alike, and distinguishes ids that differ at the end', () => {
    const [one, two] = ['_1121231500', '_1121231501'].map((end) => fairnessKey(`${'tool-calling-'.repeat(8)}${end}`));
    expect(one).toMatch(/^tool-calling-tool-calling-.*~[0-9a-f]{16}$/);
    expect(one).toHaveLength(64);
    expect(one).not.toBe(two);
  });
});
