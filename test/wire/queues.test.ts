import { describe, expect, it } from 'vitest';
import { llmQueue, parseMainQueue, queuesOfProvider, taskQueues } from '../../src/wire/queues.ts';

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
      queuesOfProvider(taskQueues('tauflow'), 'scripted', served).map((queues) => llmQueue(queues, 'scripted'));
    expect(names({})).toEqual(['tauflow-llm-scripted']);
    expect(names({ scripted: ['a', 'b', 'a'], openai: ['c'] })).toEqual([
      'tauflow-llm-scripted',
      'tauflow-llm-scripted-a',
      'tauflow-llm-scripted-b',
    ]);
  });
});
