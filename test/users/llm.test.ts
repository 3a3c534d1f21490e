import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CompletionRequest, PromptRef } from '../../src/agents/port.ts';
import { llmUser } from '../../src/users/llm.ts';
import { findUserStrategy, userStrategies } from '../../src/users/registry.ts';
import { completion, toAsked } from '../agents/fake-session.ts';
import { COUNTS } from '../conformance/counts.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';

interface GoldenUser {
  readonly name: string;
  readonly strategy: string;
  readonly model_answers: readonly (string | { readonly content: string | null })[];
  readonly ops: readonly {
    readonly op: 'create' | 'reset' | 'step';
    readonly args: readonly (string | null)[];
    readonly result: string | null;
    readonly asked: readonly object[];
  }[];
}

interface UserPromptsFile {
  readonly first_user_message: string;
  readonly strategies: {
    readonly llm: { readonly system_prompt: string; readonly system_prompt_without_instruction: string };
  };
}

function sessionWith(answers: readonly (string | null)[], expand: (ref: PromptRef) => string) {
  const asked: object[] = [];
  const requests: CompletionRequest[] = [];
  const queue = [...answers];
  return {
    asked,
    requests,
    complete(request: CompletionRequest) {
      requests.push(request);
      asked.push(toAsked(structuredClone(request), expand).messages);
      return Promise.resolve(completion(queue.shift() ?? null));
    },
  };
}

describeWithReference('the llm user does what the reference does', (dir) => {
  const prompts = JSON.parse(readFileSync(join(dir, 'retail/user-prompts.json'), 'utf8')) as UserPromptsFile;
  const cases = referenceLines(dir, 'golden/user-sim.jsonl')
    .map((line) => JSON.parse(line) as GoldenUser)
    .filter((golden) => golden.strategy === 'llm');

  it('has all of its recorded cases here', () => {
    expect(cases).toHaveLength(COUNTS['user-sim.jsonl'].equal);
  });

  it.each(cases.map((golden) => [golden.name, golden] as const))('%s', async (_, golden) => {
    let instruction: string | null = null;
    const expand = (ref: PromptRef) => {
      if (ref.ref === 'user-greeting') return prompts.first_user_message;
      const { system_prompt, system_prompt_without_instruction } = prompts.strategies.llm;
      return instruction === null
        ? system_prompt_without_instruction
        : system_prompt.replace('{instruction}', () => instruction ?? '');
    };
    // Constructing the reference's simulator costs a call; ours is opened once, with the instruction.
    const answers = golden.model_answers.map((answer) => (typeof answer === 'string' ? answer : answer.content));
    const session = sessionWith(answers.slice(1), expand);
    let user = llmUser(session);
    for (const op of golden.ops) {
      if (op.op === 'create') continue;
      const before = session.asked.length;
      if (op.op === 'reset') {
        instruction = op.args[0] ?? null;
        user = llmUser(session);
      }
      const said = op.op === 'reset' ? await user.open() : await user.reply(op.args[0] ?? null);
      expect(said).toBe(op.result);
      expect(session.asked.slice(before)).toEqual(op.asked);
    }
  });
});

describe('the llm user', () => {
  const expand = (ref: PromptRef) => ref.ref;

  it('books its calls to the user, on one thread', async () => {
    const session = sessionWith(['Hi'], expand);
    await llmUser(session).open();
    expect(session.requests[0]).toMatchObject({ role: 'user', thread: 'user' });
  });

  it('hears an empty message when the agent says nothing', async () => {
    const session = sessionWith(['Hi', 'Hello?'], expand);
    const user = llmUser(session);
    await user.open();
    await user.reply(null);
    expect(session.asked[1]).toContainEqual({ role: 'user', content: '' });
  });

  it('says nothing when its model says nothing', async () => {
    const user = llmUser(sessionWith([null], expand));
    expect(await user.open()).toBe('');
  });

  it('is found by its name, and nothing else is', () => {
    expect(findUserStrategy('llm')).toBe(userStrategies['llm']);
    expect(findUserStrategy('toString')).toBeUndefined();
  });
});
