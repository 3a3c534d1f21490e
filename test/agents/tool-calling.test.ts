import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentError, type AssistantMessage, type Message } from '../../src/agents/port.ts';
import { toolCalling } from '../../src/agents/tool-calling.ts';
import { COUNTS } from '../conformance/counts.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';
import { fakeSession, OPTIONS } from './fake-session.ts';

interface GoldenMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly content_sha256?: string;
}

interface GoldenCase {
  readonly name: string;
  readonly agent: string;
  readonly domain: string;
  readonly max_num_steps: number;
  readonly first_observation: string;
  readonly model_answers: readonly (Omit<AssistantMessage, 'role'> | string)[];
  readonly user_replies: readonly string[];
  readonly n_asked: number;
  readonly actions_taken: readonly { readonly name: string; readonly kwargs_json: string }[];
  readonly last_request: { readonly messages: readonly GoldenMessage[] };
  readonly result: { readonly messages: readonly GoldenMessage[] } | null;
  readonly raised?: { readonly type: string; readonly where: string };
}

/** What raises in the reference before the environment is reached; later errors are the grading's. */
const RAISED_BY_THE_AGENT = ['JSONDecodeError', 'ValidationError'];

function call(name: string, args: string, id = 'call_1') {
  return { id, type: 'function', function: { name, arguments: args } } as const;
}

describeWithReference('tool-calling does what the reference does', (dir) => {
  const cases = referenceLines(dir, 'golden/agent-loop.jsonl')
    .map((line) => JSON.parse(line) as GoldenCase)
    .filter((golden) => golden.agent === 'tool-calling');

  it.each(cases.map((golden) => [golden.name, golden] as const))('%s', async (_, golden) => {
    const policy = readFileSync(join(dir, golden.domain, 'wiki.md'), 'utf8');
    const observations = toolObservations(golden);
    const session = fakeSession({
      replies: golden.model_answers.map((answer) =>
        typeof answer === 'string' ? answer : { role: 'assistant', ...answer },
      ),
      firstMessage: golden.first_observation,
      userReplies: golden.user_replies,
      tool: () => observations.shift() ?? 'unasked',
      maxSteps: golden.max_num_steps,
    });

    const outcome = await toolCalling.solve(session, OPTIONS).catch((error: unknown) => error);

    expect(session.asked).toHaveLength(golden.n_asked);
    // The reference's list goes on with the ground truth's actions when the episode was graded.
    const taken = golden.actions_taken.slice(0, session.steps.length);
    expect(session.steps).toEqual(taken.map((action) => `${action.name} ${action.kwargs_json}`));
    expect(session.asked.at(-1)?.request.messages.map((message) => comparable(message, policy))).toEqual(
      golden.last_request.messages,
    );
    if (golden.raised !== undefined && RAISED_BY_THE_AGENT.includes(golden.raised.type)) {
      expect(outcome).toBeInstanceOf(AgentError);
      expect(outcome).toMatchObject({ kind: 'invalid_tool_arguments' });
      expect(session.steps).toEqual([]);
      return;
    }
    const endsByItself = golden.result === null || session.steps.length < golden.max_num_steps;
    expect(outcome).toBe(endsByItself ? 'done' : 'max_steps');
    if (golden.result !== null) {
      expect(session.trajectory.map((message) => comparable(message, policy))).toEqual(golden.result.messages);
    }
  });

  it('covers every recorded case', () => {
    expect(cases).toHaveLength(COUNTS['agent-loop.jsonl'].equal);
  });
});

/** What the environment answered, read from the transcript. */
function toolObservations(golden: GoldenCase): string[] {
  return (golden.result?.messages ?? [])
    .filter((message) => message.role === 'tool')
    .map((message) => message.content ?? '');
}

function comparable(message: Message, policy: string): object {
  if (message.role !== 'system') return message;
  return { role: 'system', content_sha256: createHash('sha256').update(policy).digest('hex') };
}

describe('tool-calling', () => {
  it('shows the model the policy as system prompt and offers the tools', async () => {
    const session = fakeSession({ replies: ['Bye'] });
    await toolCalling.solve(session, OPTIONS);
    expect(session.asked[0]).toMatchObject({ role: 'agent', thread: 'agent', tools: true });
    expect(session.asked[0]?.request.messages[0]).toEqual({ role: 'system', content: [{ ref: 'policy' }] });
  });

  it('leaves the policy out when asked to', async () => {
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

  it('takes no step and pays for no call when there are no steps', async () => {
    const session = fakeSession({ replies: [], maxSteps: 0 });
    expect(await toolCalling.solve(session, OPTIONS)).toBe('max_steps');
    expect(session.asked).toEqual([]);
  });
});
