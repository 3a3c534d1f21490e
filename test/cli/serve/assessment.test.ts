import { describe, expect, it } from 'vitest';
import { readAssessment } from '../../../src/cli/serve/testing.ts';

const URL_1 = 'http://127.0.0.1:9000/agent';

describe('an assessment that is asked for', () => {
  it.each([
    [`assess this agent on retail, 4 trials: ${URL_1}.`, { env: 'retail', numTrials: 4 }],
    [`Please assess ${URL_1}, tasks 3-5`, { numTrials: 1, startIndex: 3, endIndex: 6 }],
    [`${URL_1} task 7 of Airline`, { numTrials: 1, env: 'airline', startIndex: 7, endIndex: 8 }],
  ])('may be a sentence: %s', (text, expected) => {
    expect(readAssessment(text, null)).toEqual({ agentUrl: URL_1, env: undefined, ...expected });
  });

  it('may be data or JSON, as AgentBeats sends it', () => {
    const asked = { participants: { agent: URL_1 }, config: { domain: 'retail', num_trials: 2, task_ids: [0, '4'] } };
    const expected = { agentUrl: URL_1, env: 'retail', numTrials: 2, taskIds: [0, 4] };
    expect(readAssessment('', asked)).toMatchObject(expected);
    expect(readAssessment(JSON.stringify(asked), null)).toMatchObject(expected);
  });

  it('may be in tags, as of its first example', () => {
    const text = `Your task …\n<white_agent_url>\n${URL_1}\n</white_agent_url>\n<env_config>\n{"env": "retail", "user_model": "x", "task_ids": [1]}\n</env_config>`;
    expect(readAssessment(text, null)).toMatchObject({ agentUrl: URL_1, env: 'retail', taskIds: [1] });
  });

  it.each([
    ['assess my agent', null],
    ['', { agent_url: 'file:///tmp/agent.ts' }],
    ['', { agent_url: '/tmp/agent.ts' }],
    ['', { agent_url: 'http://me:secret@example.com/' }],
    ['', { agent_url: URL_1, env: '../../etc' }],
    ['', { agent_url: URL_1, num_trials: 1e9 }],
    ['', { agent_url: URL_1, config: { task_ids: ['--yes'] } }],
    [`${URL_1} 4000 trials`, null],
    [`<white_agent_url>${URL_1}</white_agent_url><env_config>{</env_config>`, null],
  ])('is nothing else: %s %j', (text, data) => {
    expect(readAssessment(text, data)).toHaveProperty('problem');
  });
});
