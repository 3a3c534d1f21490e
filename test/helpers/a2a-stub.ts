/** A foreign A2A server by raw HTTP: what it sends is what a test says, in each version and binding of the protocol. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Json = Record<string, unknown>;

export interface StubPart {
  readonly text?: string;
  readonly data?: unknown;
  readonly file?: string;
  readonly metadata?: Json;
}
export interface StubMessage {
  readonly id?: string;
  readonly role?: 'user' | 'agent';
  readonly parts: readonly StubPart[];
  readonly metadata?: Json;
}

/** An event of a task, in no form of the protocol. */
export type StubEvent =
  | { readonly message: StubMessage; readonly context?: string }
  /** The whole task as it is, with changes of the event alone. */
  | { readonly task: true; readonly without?: 'artifacts' }
  | { readonly state: string; readonly message?: StubMessage; readonly at?: string; readonly final?: boolean }
  | {
      readonly artifact: string;
      readonly parts: readonly StubPart[];
      readonly append?: boolean;
      readonly name?: string;
      readonly metadata?: Json;
    }
  | { readonly history: StubMessage }
  | { readonly error: number; readonly text?: string; readonly id?: null }
  /** Sent as it is. */
  | { readonly raw: string };

export interface StubForm {
  readonly version: '1.0' | '0.3';
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly streaming: boolean;
}

export const FORMS: readonly StubForm[] = (['1.0', '0.3'] as const).flatMap((version) =>
  (['JSONRPC', 'HTTP+JSON'] as const).flatMap((binding) =>
    [true, false].map((streaming) => ({ version, binding, streaming })),
  ),
);

export interface StubRequest {
  readonly message: Json;
  readonly context: string;
  readonly task: string;
  /** Number of the message, from 1. */
  readonly number: number;
}

export interface Stub {
  readonly url: string;
  readonly requests: StubRequest[];
  /** Times that the task was asked for. */
  polls: number;
}

interface Options extends StubForm {
  readonly tools?: 'data' | 'mcp';
  /** Keeps a stream open after its last event. */
  readonly staysOpen?: boolean;
  /** Changes of the task at a poll. */
  readonly onPoll?: (poll: number) => readonly StubEvent[];
}

interface StubTask {
  readonly id: string;
  readonly contextId: string;
  status: Json;
  artifacts: { id: string; parts: StubPart[]; name?: string; metadata?: Json }[];
  history: StubMessage[];
}

/** Starts a server with one task, which every message goes on with, and ends it with the test. */
export async function startStub(
  answer: (request: StubRequest) => readonly StubEvent[],
  { version, binding, streaming, tools, staysOpen = false, onPoll = () => [] }: Options,
): Promise<Stub> {
  const form = { version, binding, streaming };
  const stub: Stub = { url: '', requests: [], polls: 0 };
  const task: StubTask = { id: 't1', contextId: '', status: {}, artifacts: [], history: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '' } = request;
      if (path.endsWith('agent-card.json')) return sendJson(response, 200, card(stub.url, form, tools));
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json;
      const { params = body, method = path, id = 1 } = body as { params?: Json; method?: string; id?: unknown };
      if (/\/agent$/.test(path) && request.method === 'GET') return sendJson(response, 404, {});
      const isPoll = /GetTask|tasks\/get|\/tasks\/t1/.test(method);
      let events: readonly StubEvent[];
      if (isPoll) {
        stub.polls += 1;
        events = onPoll(stub.polls);
      } else {
        const message = (params['message'] ?? params['request']) as Json & { contextId?: string; taskId?: string };
        const { contextId: context = '', taskId = '' } = message;
        const number = stub.requests.length + 1;
        const asked = { message, context, task: taskId, number };
        stub.requests.push(asked);
        Object.assign(task, { contextId: task.contextId || context || 'named' });
        events = answer(asked);
      }
      const wrap = (result: unknown) => (binding === 'JSONRPC' ? { jsonrpc: '2.0', id, result } : result);
      if (streaming && !isPoll) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of events) {
          const sent = enter(task, event, form, id);
          if (sent !== null)
            response.write(typeof sent === 'string' ? sent : `data: ${JSON.stringify(wrap(sent))}\n\n`);
        }
        if (!staysOpen) response.end();
        return;
      }
      let said: Json | undefined;
      for (const event of events) {
        if ('error' in event) {
          const status =
            binding === 'JSONRPC' ? 200 : event.error === -32001 ? 404 : event.error === -32603 ? 500 : 400;
          return sendJson(response, status, errorOf(event, form, id));
        }
        const sent = enter(task, event, form, id);
        if ('message' in event && !('state' in event)) said = sent as Json;
      }
      const whole = taskOf(task, form);
      const wrapped = binding === 'JSONRPC' && version === '0.3' ? whole : { task: whole };
      sendJson(response, 200, wrap(isPoll ? whole : (said ?? wrapped)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return Object.assign(stub, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent` });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function card(url: string, { version, binding, streaming }: StubForm, tools: string | undefined): Json {
  const extensions = tools === undefined ? [] : [{ uri: 'urn:tauflow:a2a:1', params: { tools } }];
  const usual = {
    ...{ name: 'stub', description: '', version: '1', skills: [] },
    ...{ capabilities: { streaming, extensions }, defaultInputModes: ['text'], defaultOutputModes: ['text'] },
  };
  return version === '1.0'
    ? { ...usual, supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: '1.0' }] }
    : { ...usual, url, protocolVersion: '0.3.0', preferredTransport: binding };
}

/** Enters an event into the task, and gives it in the form of a stream; null: nothing is sent. */
function enter(task: StubTask, event: StubEvent, form: StubForm, id: unknown): Json | string | null {
  const place = { taskId: task.id, contextId: task.contextId };
  if ('raw' in event) return event.raw;
  if ('error' in event) {
    const body = JSON.stringify(errorOf(event, form, id));
    return form.binding === 'JSONRPC' ? `data: ${body}\n\n` : `event: error\ndata: ${body}\n\n`;
  }
  if ('history' in event) {
    task.history.push(event.history);
    return null;
  }
  if ('task' in event) {
    const whole = taskOf(event.without === undefined ? task : { ...task, artifacts: [] }, form);
    return payload('task', 'task', whole, form);
  }
  if ('state' in event) {
    const { state, message, at, final } = event;
    task.status = {
      state: form.version === '0.3' && form.binding === 'JSONRPC' ? state : protoState(state),
      ...(message === undefined ? {} : { [key(form)]: messageOf(message, form, place) }),
      ...(at === undefined ? {} : { timestamp: at }),
    };
    const update = { ...place, status: task.status, ...(final === undefined ? {} : { final }) };
    return payload('status-update', 'statusUpdate', update, form);
  }
  if ('artifact' in event) {
    const { artifact: artifactId, parts, append = false, ...more } = event;
    const known = task.artifacts.find((each) => each.id === artifactId);
    if (known === undefined) task.artifacts.push({ id: artifactId, parts: [...parts], ...more });
    else known.parts = append ? [...known.parts, ...parts] : [...parts];
    const artifact = { artifactId, ...more, parts: parts.map((part) => partOf(part, form)) };
    return payload('artifact-update', 'artifactUpdate', { ...place, artifact, append }, form);
  }
  const { message, context } = event;
  const said = messageOf(message, form, context === undefined ? {} : { contextId: context });
  return payload('message', form.version === '0.3' ? 'msg' : 'message', said, form);
}

/** The message's name within a status: gRPC's form of 0.3 has another one than its JSON-RPC. */
function key({ version, binding }: StubForm): string {
  return version === '0.3' && binding === 'HTTP+JSON' ? 'update' : 'message';
}

function payload(kind: string, name: string, value: Json, { version, binding }: StubForm): Json {
  return version === '0.3' && binding === 'JSONRPC' ? { ...value, kind } : { [name]: value };
}

function taskOf({ id, contextId, status, artifacts, history }: StubTask, form: StubForm): Json {
  return {
    ...(form.version === '0.3' && form.binding === 'JSONRPC' ? { kind: 'task' } : {}),
    ...{ id, contextId, status },
    artifacts: artifacts.map(({ id: artifactId, parts, ...more }) => ({
      ...{ artifactId, ...more },
      parts: parts.map((part) => partOf(part, form)),
    })),
    history: history.map((message) => messageOf(message, form, {})),
  };
}

function messageOf({ id = 'm1', role = 'agent', parts, metadata }: StubMessage, form: StubForm, place: Json): Json {
  const isOldJson = form.version === '0.3' && form.binding === 'JSONRPC';
  return {
    ...(isOldJson ? { kind: 'message' } : {}),
    messageId: id,
    ...place,
    role: isOldJson ? role : `ROLE_${role.toUpperCase()}`,
    [form.version === '0.3' && !isOldJson ? 'content' : 'parts']: parts.map((part) => partOf(part, form)),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function partOf({ text, data, file, metadata }: StubPart, { version, binding }: StubForm): Json {
  const more = metadata === undefined ? {} : { metadata };
  if (version === '1.0') {
    if (text !== undefined) return { text, ...more };
    return file === undefined ? { data, ...more } : { url: file, filename: 'file', ...more };
  }
  const isRpc = binding === 'JSONRPC';
  if (text !== undefined) return { ...(isRpc ? { kind: 'text' } : {}), text, ...more };
  if (file !== undefined) {
    return isRpc ? { kind: 'file', file: { uri: file }, ...more } : { file: { fileWithUri: file }, ...more };
  }
  return isRpc ? { kind: 'data', data, ...more } : { data: { data }, ...more };
}

function protoState(state: string): string {
  return state === 'unknown' ? 'TASK_STATE_UNSPECIFIED' : `TASK_STATE_${state.replace('-', '_').toUpperCase()}`;
}

function errorOf(
  event: { error: number; text?: string; id?: null },
  { version, binding }: StubForm,
  id: unknown,
): Json {
  const { error: code, text: message = 'no luck' } = event;
  if (binding === 'JSONRPC') return { jsonrpc: '2.0', id: event.id === null ? null : id, error: { code, message } };
  if (version === '0.3') return { code, message };
  const [status, reason] = REASONS.get(code) ?? [500, null];
  const details = reason === null ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }];
  return { error: { code: status, status: 'X', message, details } };
}

const REASONS: ReadonlyMap<number, readonly [number, string | null]> = new Map([
  [-32001, [404, 'TASK_NOT_FOUND']],
  [-32602, [400, 'INVALID_PARAMS']],
  [-32004, [400, 'UNSUPPORTED_OPERATION']],
  [-32005, [400, 'CONTENT_TYPE_NOT_SUPPORTED']],
  [-32006, [500, 'INVALID_AGENT_RESPONSE']],
  [-32601, [404, null]],
  [-32700, [400, null]],
  [-32600, [400, null]],
]);
