/**
 * Environments of OpenEnv (`openenv-core` 0.3): sessions over a WebSocket, tools by MCP or by the schema of an action,
 * rewards with the steps. Sessions belong to this process, and are rebuilt from the calls if repeating calls is
 * allowed.
 */

import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { HttpServiceError, exchange, isObject, jsonObject, parsedJson, sha256, type Fields } from '../../io/index.ts';
import { OpenEnvSession, type OpenEnvPlace } from './openenv-session.ts';
import {
  EnvironmentServiceError,
  type CallRequest,
  type EnvironmentService,
  type GradeRequest,
  type ServiceDescription,
  type ServiceDomain,
  type ServiceGrade,
  type ServiceObservation,
  type ServiceStart,
  type ServiceTasks,
  type StartRequest,
} from './port.ts';

const metadataSchema = z.object({
  name: z.string().min(1).max(200),
  description: z.string(),
  version: z.string().max(200).nullish(),
});

const toolsSchema = z.array(
  z.object({
    name: z.string(),
    description: z.string().nullish(),
    input_schema: z.record(z.string(), z.unknown()).optional(),
    inputSchema: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** Tool of an environment that lists no tools by MCP. Its arguments are the action. */
const STEP = 'step';
const NO_STATE = { agent: null, user: null };
const TIMEOUT_MS = 120_000;
/** Most sessions in this process. */
const MOST_SESSIONS = 1_000;

/** @returns null for an address without OpenEnv's metadata */
export async function findOpenEnv(
  { url, key }: { readonly url: string; readonly key: string | null },
  replays: boolean,
): Promise<EnvironmentService | null> {
  const { origin, pathname } = new URL(url);
  const place = { url, key, name: `the OpenEnv environment at ${origin}${pathname}`, timeoutMs: TIMEOUT_MS };
  const said = await fetchJson(place, 'metadata').catch((error: unknown) => {
    if (error instanceof HttpServiceError) return undefined;
    throw error;
  });
  const { data: metadata } = metadataSchema.safeParse(said);
  if (metadata === undefined) return null;
  const name = metadata.name.replace(/[^\w.-]+/g, '-');
  return new OpenEnvService(place, metadata.description, {
    name,
    version: metadata.version ?? 'unknown',
    replays,
    rules: 'solo',
    domains: [name],
    options: {
      type: 'object',
      properties: { seeds: { type: 'array', items: { type: 'integer' }, description: 'A task for each seed' } },
      additionalProperties: { description: 'An argument of reset' },
    },
  });
}

async function fetchJson(place: OpenEnvPlace, path: string): Promise<unknown> {
  const at = { ...place, url: `${place.url.replace(/\/$/, '')}/${path}` };
  const { status, body } = await exchange(at, null, {}, { timeoutMs: place.timeoutMs });
  return status === 200 ? parsedJson(body) : undefined;
}

class OpenEnvService implements EnvironmentService {
  readonly description: ServiceDescription;
  readonly #place: OpenEnvPlace;
  readonly #words: string;
  /** The latest session of each episode. */
  readonly #sessions = new LRUCache<string, OpenEnvSession>({
    max: MOST_SESSIONS,
    dispose: (session) => session.close(),
  });

  constructor(place: OpenEnvPlace, words: string, description: ServiceDescription) {
    this.#place = place;
    this.#words = words;
    this.description = description;
  }

  tasks({ options }: ServiceDomain): Promise<ServiceTasks> {
    const ids = [...listTasks(options).keys()];
    const { name, version } = this.description;
    return Promise.resolve({
      digest: sha256([JSON.stringify([name, version, ids])]),
      tasks: ids.map((id) => ({ id, instruction: this.#words })),
      splits: { test: ids },
    });
  }

  async start({ episode, task, options }: StartRequest): Promise<ServiceStart> {
    const { session, observation } = await this.#open(episode, task, options);
    return {
      policy: this.#words,
      tools: await this.#listTools(session),
      firstMessage: findWords(observation) ?? this.#words,
      state: NO_STATE,
      life: this.description.replays ? undefined : session.life,
    };
  }

  async call(request: CallRequest): Promise<ServiceObservation> {
    const { call, idempotencyKey } = request;
    const given = jsonObject(call.arguments === '' ? '{}' : call.arguments);
    if (given === null) {
      const observation = `Error: the arguments of ${call.name} are no JSON object`;
      return { observation, error: true, changed: false, done: false, state: NO_STATE };
    }
    const session = await this.#find(request, idempotencyKey);
    return await session.call(idempotencyKey, () => makeCall(session, call.name, given));
  }

  async grade(request: GradeRequest): Promise<ServiceGrade> {
    const { rewards, close } = await this.#findGraded(request);
    close();
    const sum = rewards.reduce((total, reward) => total + reward, 0);
    const reward = Math.min(1, Math.max(0, sum));
    const wanted = `rewards of ${this.description.name}: ${rewards.length === 0 ? 'none' : rewards.join(', ')}`;
    return { reward, parts: [{ kind: 'assertions', counts: true, checks: [{ wanted, isMet: reward === 1 }] }] };
  }

  async #findGraded(
    request: GradeRequest,
  ): Promise<{ readonly rewards: readonly number[]; readonly close: () => void }> {
    const known = this.#sessions.get(request.episode);
    const isIts = known?.callCount === request.calls.length && (request.life ?? known.life) === known.life;
    const session = known !== undefined && isIts ? known : await this.#find(request);
    return { rewards: session.rewards, close: () => session.close() };
  }

  /** Returns the session in which `calls` were made; if it no longer exists, repeats them if that is allowed. */
  async #find({ episode, task, options, calls, life }: Omit<CallRequest, 'call' | 'idempotencyKey'>, key?: string) {
    const known = this.#sessions.get(episode);
    if (known !== undefined && (life ?? known.life) === known.life) {
      if (key !== undefined && known.hasMade(key)) return known;
      if (known.isOpen && known.callCount === calls.length) return known;
    }
    if (!this.description.replays) {
      throw new EnvironmentServiceError('lost', `${this.#place.name} has lost the session of the episode ${episode}`);
    }
    const { session } = await this.#open(episode, task, options);
    for (const call of calls) await makeCall(session, call.name, jsonObject(call.arguments) ?? {});
    return session;
  }

  async #open(episode: string, task: string, options: Fields) {
    const reset = listTasks(options).get(task);
    if (reset === undefined) {
      throw new EnvironmentServiceError('refused', `${this.#place.name} has no task ${task}`);
    }
    const session = await OpenEnvSession.open(this.#place);
    this.#sessions.set(episode, session);
    const { observation, problem } = await session.act('reset', reset);
    if (problem !== undefined) {
      throw new EnvironmentServiceError('refused', `${this.#place.name} refused a reset: ${problem.slice(0, 200)}`);
    }
    return { session, observation };
  }

  async #listTools(session: OpenEnvSession): Promise<ServiceStart['tools']> {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const { data } = await session.ask({ type: 'mcp', data: request });
    const listed = isObject(data['result']) ? toolsSchema.safeParse(data['result']['tools']).data : undefined;
    if (listed !== undefined && listed.length > 0) {
      return listed.map(({ name, description, input_schema: schema, inputSchema = schema }) => ({
        type: 'function',
        function: { name, description: description ?? '', parameters: inputSchema ?? { type: 'object' } },
      }));
    }
    const schemas = await fetchJson(this.#place, 'schema');
    const action = isObject(schemas) && isObject(schemas['action']) ? schemas['action'] : { type: 'object' };
    const description = typeof action['description'] === 'string' ? action['description'] : 'Take a step.';
    return [{ type: 'function', function: { name: STEP, description, parameters: action } }];
  }
}

async function makeCall(session: OpenEnvSession, name: string, given: Fields): Promise<ServiceObservation> {
  const action = name === STEP ? given : { type: 'call_tool', tool_name: name, arguments: given };
  const { observation, done, problem } = await session.act('step', action);
  session.callCount += 1;
  const failed = problem ?? findProblem(observation);
  return {
    observation: failed === undefined ? toText(observation) : `Error: ${failed}`,
    error: failed !== undefined,
    changed: true,
    done,
    state: NO_STATE,
  };
}

/** Finds the error of a tool. */
function findProblem({ error }: Fields): string | undefined {
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
}

/** Returns the text of a tool's result; without one, the observation as JSON. */
function toText(observation: Fields): string {
  const { result } = observation;
  const content = isObject(result) && Array.isArray(result['content']) ? (result['content'] as unknown[]) : [];
  const texts = content.flatMap((part) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []));
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(result ?? observation);
}

const WORDS = ['prompt', 'instruction', 'task', 'question', 'goal', 'message', 'text'];

/** Finds the task's text in the observation of a reset. */
function findWords(observation: Fields): string | undefined {
  const field = WORDS.find((name) => typeof observation[name] === 'string' && observation[name] !== '');
  if (field !== undefined) return observation[field] as string;
  return Object.keys(observation).length === 0 ? undefined : JSON.stringify(observation);
}

/** Returns the ids of the tasks, with the arguments of their resets. */
function listTasks({ seeds, ...reset }: Fields): ReadonlyMap<string, Fields> {
  if (!Array.isArray(seeds)) return new Map([['default', reset]]);
  return new Map(seeds.map((seed: unknown) => [`seed-${String(seed)}`, { ...reset, seed }]));
}
