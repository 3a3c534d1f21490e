import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  AgentError,
  findStrategy,
  type AgentErrorKind,
  type AssistantMessage,
  type Message,
} from '../../src/agents/index.ts';
import { expandMessages } from '../../src/models/prompts/index.ts';
import { readPack, type Pack } from '../../src/benchmarks/testing.ts';
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
  readonly task_index: number;
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

/** Errors that the reference's agents raise before the environment is reached; later errors are the grading's. */
const RAISED_BY_THE_AGENT: Readonly<
  Record<string, { readonly types: readonly string[]; readonly kind: AgentErrorKind }>
> = {
  'tool-calling': { types: ['JSONDecodeError', 'ValidationError'], kind: 'invalid_tool_arguments' },
  act: { types: ['AssertionError', 'TypeError', 'ValidationError'], kind: 'unparsable_reply' },
  react: { types: ['AssertionError', 'TypeError', 'ValidationError'], kind: 'unparsable_reply' },
};

const OBSERVATION = 'API output: ';

describeWithReference('the agents do what the reference does', (dir) => {
  const cases = referenceLines(dir, 'golden/agent-loop.jsonl').map((line) => JSON.parse(line) as GoldenCase);
  const packs = new Map<string, Pack>();
  beforeAll(async () => {
    for (const domain of ['retail', 'airline']) packs.set(domain, await readPack(join(dir, domain)));
  });

  it.each(cases.map((golden) => [golden.name, golden] as const))('%s', async (_, golden) => {
    const strategy = findStrategy(golden.agent);
    const byTheAgent = RAISED_BY_THE_AGENT[golden.agent];
    const pack = packs.get(golden.domain);
    if (strategy === undefined || byTheAgent === undefined) throw new Error(`no agent ${golden.agent}`);
    if (pack === undefined) throw new Error(`no domain ${golden.domain}`);
    const observations = toolObservations(golden);
    const session = fakeSession({
      replies: golden.model_answers.map((answer) =>
        typeof answer === 'string' ? answer : { role: 'assistant', ...answer },
      ),
      firstMessage: golden.first_observation,
      userReplies: golden.user_replies,
      tool: () => observations.shift() ?? 'unasked',
      maxSteps: golden.max_num_steps,
      prompts: (ref) => shown([{ role: 'user', content: [ref] }])[0]?.content ?? '',
    });
    const shown = (messages: readonly Message[]) =>
      expandMessages(messages, { pack, split: 'test', taskId: golden.task_index, strategy, options: OPTIONS, seed: 1 });
    const comparable = (messages: readonly Message[]) => shown(messages).map(digested);

    const outcome = await strategy.solve(session, OPTIONS).catch((error: unknown) => error);

    expect(session.asked).toHaveLength(golden.n_asked);
    expect(session.asked.every(({ tools }) => tools === (golden.agent === 'tool-calling'))).toBe(true);
    // At the end of the reference's list are the ground truth's actions, when the episode was graded.
    const taken = golden.actions_taken.slice(0, session.steps.length);
    expect(session.steps).toEqual(taken.map((action) => `${action.name} ${action.kwargs_json}`));
    const last = session.asked.at(-1)?.request.messages ?? [];
    expect(comparable(last)).toEqual(golden.last_request.messages);
    if (golden.raised !== undefined && byTheAgent.types.includes(golden.raised.type)) {
      expect(outcome).toBeInstanceOf(AgentError);
      expect(outcome).toMatchObject({ kind: byTheAgent.kind });
      expect(session.steps).toEqual([]);
      return;
    }
    const endsByItself = golden.result === null || session.steps.length < golden.max_num_steps;
    expect(outcome).toBe(endsByItself ? 'done' : 'max_steps');
    if (golden.result !== null) expect(comparable(session.trajectory)).toEqual(golden.result.messages);
  });

  it('covers every recorded case', () => {
    expect(cases).toHaveLength(COUNTS['agent-loop.jsonl'].equal);
  });
});

/** Answers of the environment, read from the transcript. */
function toolObservations(golden: GoldenCase): string[] {
  return (golden.result?.messages ?? []).flatMap(({ role, content }) => {
    if (role === 'tool') return [content ?? ''];
    return role === 'user' && content?.startsWith(OBSERVATION) ? [content.slice(OBSERVATION.length)] : [];
  });
}

function digested(message: Message): object {
  if (message.role !== 'system') return message;
  return {
    role: 'system',
    content_sha256: createHash('sha256')
      .update(message.content as string)
      .digest('hex'),
  };
}
