import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { toolCalling } from '../../../src/agents/testing.ts';
import type { CompletionRequest } from '../../../src/agents/index.ts';
import { expandMessages } from '../../../src/models/prompts/index.ts';
import { readPack, type Pack } from '../../../src/benchmarks/testing.ts';
import { UserReplyError, findUserStrategy, type UserSimulator } from '../../../src/agents/users/index.ts';
import { reflectionUser, verifyUser, type UserSession } from '../../../src/agents/users/testing.ts';
import { completion, OPTIONS } from '../fake-session.ts';
import { COUNTS } from '../../conformance/counts.ts';
import { describeWithReference, referenceLines } from '../../helpers/reference.ts';

interface GoldenMessage {
  readonly role: string;
  readonly content: string | null;
}

interface GoldenUser {
  readonly name: string;
  readonly strategy: string;
  readonly options: { readonly max_attempts?: number };
  readonly model_answers: readonly (string | { readonly content: string | null })[];
  readonly ops: readonly {
    readonly op: 'create' | 'reset' | 'step';
    readonly args: readonly (string | null)[];
    readonly result: string | null;
    readonly raised?: { readonly type: string };
    readonly asked: readonly (readonly GoldenMessage[])[];
  }[];
}

/** The client library's text form of a message, in recorded prompts: the verify user shows it to its supervisor. */
const LIBRARY_FORM = /(# Response:\n)<message ([\s\S]*?)>(\n\n-----)/;

describeWithReference('the simulated users do what the reference does', (dir) => {
  const cases = referenceLines(dir, 'golden/user-sim.jsonl').map((line) => JSON.parse(line) as GoldenUser);
  let pack: Pack;
  beforeAll(async () => {
    pack = await readPack(join(dir, 'retail'));
  });

  it('has all recorded cases here', () => {
    expect(cases).toHaveLength(COUNTS['user-sim.jsonl'].equal);
  });

  it.each(cases.map((golden) => [golden.name, golden] as const))('%s', async (_, golden) => {
    const asked: GoldenMessage[][] = [];
    const answers = golden.model_answers.map((answer) => (typeof answer === 'string' ? answer : answer.content));
    let instruction: string | null = null;
    const session: UserSession = {
      person: () => Promise.reject(new Error('no person is asked')),
      complete({ messages }: CompletionRequest) {
        asked.push(shown(withInstruction(pack, instruction), messages));
        return Promise.resolve(completion(answers.shift() ?? null));
      },
    };
    let user: UserSimulator | null = null;
    for (const op of golden.ops) {
      if (op.op === 'create') {
        // Making the reference's simulator costs calls, whose answers are thrown away; ours is made without any.
        answers.splice(0, op.asked.length);
        continue;
      }
      if (op.op === 'reset') {
        instruction = op.args[0] ?? null;
        user = make(golden, session);
      }
      const before = asked.length;
      const said = await speak(user, op).catch((error: unknown) => error);
      if (op.raised === undefined) expect(said).toBe(op.result);
      else expect(said).toBeInstanceOf(UserReplyError);
      expect(asked.slice(before)).toEqual(op.asked.map((messages) => messages.map(plain)));
    }
  });
});

function make({ strategy, options }: GoldenUser, session: UserSession): UserSimulator {
  const { max_attempts: attempts } = options;
  if (attempts !== undefined && strategy === 'verify') return verifyUser(session, attempts);
  if (attempts !== undefined && strategy === 'reflection') return reflectionUser(session, attempts);
  const create = findUserStrategy(strategy === 'react' ? 'react-reference' : strategy);
  if (create === undefined) throw new Error(`no user strategy ${strategy}`);
  return create(session);
}

async function speak(user: UserSimulator | null, { op, args }: GoldenUser['ops'][number]): Promise<string> {
  if (user === null) throw new Error('a step before the first reset');
  return op === 'reset' ? user.open() : user.reply(args[0] ?? null);
}

/** The pack with a task that is the instruction. */
function withInstruction(pack: Pack, instruction: string | null): Pack {
  if (instruction !== null) {
    return { ...pack, splits: { test: [{ userId: '', actions: [], instruction, outputs: [] }] } };
  }
  const strategies = Object.entries(pack.userPrompts.strategies).map(([name, texts]) => [
    name,
    { ...texts, systemPrompt: texts.systemPromptWithoutInstruction },
  ]);
  return withInstruction(
    {
      ...pack,
      userPrompts: {
        ...pack.userPrompts,
        strategies: Object.fromEntries(strategies) as Pack['userPrompts']['strategies'],
      },
    },
    '',
  );
}

function shown(pack: Pack, messages: CompletionRequest['messages']): GoldenMessage[] {
  const context = { pack, split: 'test', taskId: 0, strategy: toolCalling, options: OPTIONS, seed: 1 };
  return expandMessages(structuredClone(messages), context).map(({ role, content }) => ({
    role,
    content: content,
  }));
}

function plain({ role, content }: GoldenMessage): GoldenMessage {
  return { role, content: content?.replace(LIBRARY_FORM, '$1$2$3') ?? null };
}
