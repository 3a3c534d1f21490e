/** Agents with and without faults, each a real service on loopback. */

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { checkAgent } from '../../../src/agent-service/check/index.ts';
import { startGateway, type TurnRequest } from '../../../src/agent-service/index.ts';
import type { CheckFinding } from '../../../src/io/index.ts';
import { listen } from '../../helpers/stub-service.ts';

export interface Answered {
  readonly status?: number;
  readonly body: unknown;
}
export type Answer = (turn: TurnRequest) => Promise<Answered | 'nothing'>;

/** @returns its URL */
export async function startAgent(
  answer: Answer,
  identity: object | null = { name: 'mine', version: '2', protocol: '1' },
): Promise<string> {
  const server = createServer((request, response) => {
    const send = ({ status = 200, body }: Answered) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const handle = async () => {
      if (request.method === 'GET') {
        send(identity === null ? { status: 405, body: '' } : { body: identity });
        return;
      }
      try {
        const answered = await answer(JSON.parse(await text(request)) as TurnRequest);
        if (answered !== 'nothing') send(answered);
      } catch (error) {
        send({ status: 500, body: { error: String(error) } });
      }
    };
    void handle();
  });
  return `${await listen(server)}/`;
}

interface Limits {
  readonly timeoutMs?: number;
  readonly meetMs?: number;
}

export async function findingsOf(
  answer: Answer,
  limits: Limits = {},
  identity?: object | null,
): Promise<readonly CheckFinding[]> {
  const url = await startAgent(answer, identity);
  const gateway = await startGateway();
  const findings: CheckFinding[] = [];
  try {
    await checkAgent({ service: { url }, gateway, timeoutMs: 30_000, ...limits }, (finding) => findings.push(finding));
  } finally {
    await gateway.close();
  }
  return findings;
}

/** Findings that are not right, by their check. */
export async function problemsOf(...given: Parameters<typeof findingsOf>): Promise<Record<string, string>> {
  const findings = (await findingsOf(...given)).filter(({ state }) => state !== 'right');
  return Object.fromEntries(findings.map(({ check, state, message }) => [check, `${state}: ${message}`]));
}

export type Message = TurnRequest['conversation'][number] | { readonly role: 'system'; readonly content: string };
type Assistant = Extract<Message, { role: 'assistant' }>;

export async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${String(response.status)} ${await response.text()}`);
  return await response.json();
}

export async function callModel({ model_url, tools, policy }: TurnRequest, messages: readonly Message[]) {
  const asked = [{ role: 'system', content: policy }, ...messages];
  const reply = await post(`${model_url}/chat/completions`, { model: 'm', messages: asked, tools });
  const [choice] = (reply as { choices: { message: Assistant }[] }).choices;
  if (choice === undefined) throw new Error('no reply');
  return choice.message;
}

export async function callTool({ tools_url }: TurnRequest, call: unknown): Promise<string> {
  return ((await post(tools_url, call)) as { observation: string }).observation;
}

/** Adds to the conversation what the model and the tools say, and returns the model's last text. */
export async function work(turn: TurnRequest, messages: Message[]): Promise<string> {
  for (;;) {
    const message = await callModel(turn, messages);
    messages.push(message);
    if (message.tool_calls === undefined) return message.content ?? '';
    for (const { id, function: called } of message.tool_calls) {
      const content = await callTool(turn, called);
      messages.push({ role: 'tool', tool_call_id: id, name: called.name, content });
    }
  }
}

/** Keeps nothing: each request has all that it needs. */
export const stateless: Answer = async (turn) => ({
  body: { message: await work(turn, [...turn.conversation]) },
});

/** Keeps conversations in memory, and each answer; says so when it has lost one. */
export function careful(): Answer {
  const kept = new Map<string, readonly Message[]>();
  const answers = new Map<string, string>();
  return async (turn) => {
    const answer = answers.get(turn.idempotency_key);
    if (answer !== undefined) return { body: { message: answer } };
    const before = kept.get(turn.episode) ?? (turn.request === 1 ? [] : undefined);
    if (before === undefined) return { status: 404, body: { error: 'unknown_episode' } };
    const messages: Message[] = [...before, ...turn.messages];
    const message = await work(turn, messages);
    kept.set(turn.episode, messages);
    answers.set(turn.idempotency_key, message);
    return { body: { message } };
  };
}

/** Keeps conversations in memory, and knows nothing of attempts. */
export function careless(keyOf: (turn: TurnRequest) => string = ({ episode }) => episode): Answer {
  const kept = new Map<string, Message[]>();
  return async (turn) => {
    const messages = kept.get(keyOf(turn)) ?? [];
    kept.set(keyOf(turn), messages);
    messages.push(...turn.messages);
    return { body: { message: await work(turn, messages) } };
  };
}

/** Leads the whole conversation in its first request: its model speaks to the user by a tool. */
export const leading: Answer = async (turn) => {
  const parameters = { type: 'object', properties: { content: { type: 'string' } } };
  const respond = { type: 'function', function: { name: 'respond_to_user', parameters } } as const;
  await work({ ...turn, tools: [...turn.tools, respond] }, [...turn.messages]);
  return { body: { end: true } };
};

/** Speaks to its model on Responses, and keeps nothing but the name of the last response. */
export function byResponseId(): Answer {
  const last = new Map<string, string>();
  return async (turn) => {
    const tools = turn.tools.map(({ type, function: described }) => ({ type, ...described }));
    let input: object[] = turn.messages.map(({ content }) => ({ role: 'user', content }));
    let previous = last.get(`${turn.episode} ${turn.request - 1}`);
    for (;;) {
      const body = { model: 'm', instructions: turn.policy, input, tools, previous_response_id: previous };
      const { id, output } = (await post(`${turn.model_url}/responses`, body)) as {
        id: string;
        output: [{ name?: string; call_id: string; arguments: string; content: [{ text: string }] }];
      };
      previous = id;
      const [{ name, call_id, arguments: args, content }] = output;
      if (name === undefined) {
        last.set(`${turn.episode} ${turn.request}`, id);
        return { body: { message: content[0].text } };
      }
      const observed = await callTool(turn, { name, arguments: args });
      input = [{ type: 'function_call_output', call_id, output: observed }];
    }
  };
}
