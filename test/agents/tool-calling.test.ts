import { describe, expect, it } from 'vitest';
import type { AssistantMessage } from '../../src/agents/index.ts';
import { toolCalling } from '../../src/agents/testing.ts';
import { fakeSession, OPTIONS } from './fake-session.ts';

function call(name: string, args: string, id = 'call_1') {
  return { id, type: 'function', function: { name, arguments: args } } as const;
}

describe('the tool-calling agent', () => {
  it('shows the model the policy as system prompt and offers the tools', async () => {
    const session = fakeSession({ replies: ['Bye'] });
    await toolCalling.solve(session, OPTIONS);
    expect(session.asked[0]).toMatchObject({ role: 'agent', thread: 'agent', tools: true });
    expect(session.asked[0]?.request.messages[0]).toEqual({ role: 'system', content: [{ ref: 'policy' }] });
  });

  it('leaves the policy out if the option is set', async () => {
    const session = fakeSession({ replies: ['Bye'] });
    await toolCalling.solve(session, { ...OPTIONS, omitPolicy: true });
    expect(JSON.stringify(session.asked[0]?.request.messages)).not.toContain('"ref"');
  });

  it('shows arguments that cannot be read in the error, because the trajectory has executed calls only', async () => {
    const answer: AssistantMessage = { role: 'assistant', content: null, tool_calls: [call('calculate', '{x}')] };
    const session = fakeSession({ replies: [answer] });
    await expect(toolCalling.solve(session, OPTIONS)).rejects.toThrow(/calculate are not JSON .*: \{x\}$/);
    expect(session.trajectory.map((message) => message.role)).toEqual(['system', 'user']);
  });

  it('keeps only the executed call of several, also in what the model sees next', async () => {
    const calls = [call('get_user_details', '{}', 'a'), call('get_order_details', '{}', 'b')];
    const session = fakeSession({ replies: [{ role: 'assistant', content: 'both', tool_calls: calls }, 'Bye'] });
    await toolCalling.solve(session, OPTIONS);
    expect(session.steps[0]).toBe('get_user_details {}');
    expect(session.asked[1]?.request.messages[2]).toMatchObject({ content: 'both', tool_calls: [calls[0]] });
  });

  it('takes no step and makes no call if there are no steps', async () => {
    const session = fakeSession({ replies: [], maxSteps: 0 });
    expect(await toolCalling.solve(session, OPTIONS)).toBe('max_steps');
    expect(session.asked).toEqual([]);
  });
});
