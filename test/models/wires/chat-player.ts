/** Plays Anthropic's Messages by asking a server of chat completions: the scripted model. */

import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import type { MessagesRequest, Played } from './strict-messages.ts';

type Block = Readonly<Record<string, unknown>>;
interface ChatReply {
  readonly choices: readonly [
    {
      readonly message: {
        readonly content: string | null;
        readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
      };
    },
  ];
}

/** @param url base URL, `/v1` included */
export function playChat(url: string): (request: MessagesRequest) => Promise<Played> {
  let calls = 0;
  return async ({ model, system = [], messages, tools = [] }) => {
    const names = new Map<string, string>();
    const body = {
      model,
      messages: [
        ...system.map(({ text }) => ({ role: 'system', content: text })),
        ...messages.flatMap(({ role, content }) =>
          role === 'user' ? content.map((block) => ofUser(block, names)) : [ofAssistant(content, names)],
        ),
      ],
      ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
    };
    const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    const [{ message }] = ((await response.json()) as ChatReply).choices;
    const { content, tool_calls: called = [] } = message;
    const blocks = [
      ...(content === null || content === '' ? [] : [JSON.stringify({ type: 'text', text: content })]),
      ...called.map(({ function: { name, arguments: input } }) => {
        calls += 1;
        return `{"type": "tool_use", "id": "toolu_${String(calls)}", "name": ${JSON.stringify(name)}, "input": ${input}}`;
      }),
    ];
    return { blocks: `[${blocks.join(', ')}]` };
  };
}

function ofUser(block: Block, names: ReadonlyMap<string, string>) {
  if (block['type'] === 'text') return { role: 'user', content: block['text'] };
  const id = String(block['tool_use_id']);
  return { role: 'tool', tool_call_id: id, name: names.get(id), content: block['content'] ?? '' };
}

function ofAssistant(content: readonly Block[], names: Map<string, string>) {
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => String(text));
  const calls = content.filter(({ type }) => type === 'tool_use');
  for (const { id, name } of calls) names.set(String(id), String(name));
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: dumpJson(input as object) },
          })),
        }),
  };
}

function toTool({ name, description, input_schema: parameters }: Block) {
  return { type: 'function', function: { name, description, parameters } };
}
