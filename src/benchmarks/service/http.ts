/** Environment services over HTTP. */

import type * as z from 'zod';
import { UsageError } from '../../errors/index.ts';
import {
  HttpServiceError,
  createKeyRemover,
  createRedactor,
  environmentSetting,
  exchange,
  findHeaderProblem,
  forTerminal,
  isObject,
  jsonObject,
  parsedJson,
  quoteBody,
  readRetryAfter,
  type HttpReply,
} from '../../io/index.ts';
import type { GradePart } from '../grade.ts';
import { AnswerMemory } from './contradictions.ts';
import { REQUEST_TIMEOUT_S } from './domain.ts';
import {
  EnvironmentServiceError,
  type CallRequest,
  type EnvironmentService,
  type GradeRequest,
  type ServiceDescription,
  type ServiceDomain,
  type ServiceFault,
  type ServiceGrade,
  type ServiceObservation,
  type ServiceStart,
  type ServiceState,
  type ServiceTasks,
  type StartRequest,
} from './port.ts';
import {
  PROTOCOL,
  descriptionSchema,
  gradeSchema,
  observationSchema,
  startSchema,
  tasksSchema,
} from './protocol.schema.ts';

export const ENV_KEY = 'TAUFLOW_ENV_KEY';

export interface HttpEnvironment {
  readonly url: string;
  /** Bearer token. @default none */
  readonly key?: string | null;
  /** Time limit of a request, in milliseconds. @default 1,800,000 */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = REQUEST_TIMEOUT_S * 1_000;
const MOST_TIMEOUT_MS = 86_400_000;
/** Time limit for the description, in milliseconds. A service may still be starting. */
const DESCRIPTION_MS = 60_000;

/** Returns the service's bearer token; null: none. @throws UsageError for characters that a header cannot have */
export function environmentKey(env: Readonly<Record<string, string | undefined>>): string | null {
  const problem = findHeaderProblem(env, ENV_KEY);
  if (problem !== null) throw new UsageError(`${problem}.`);
  return environmentSetting(env, ENV_KEY) ?? null;
}

/**
 * @param word the flag or argument of the URL
 * @throws UsageError for anything but an HTTP URL, and for user or password, which would be recorded
 */
export function requireEnvironmentUrl(word: string, url: string): void {
  const { protocol = '', username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  if (/^https?:$/.test(protocol) && username === '' && password === '') return;
  throw new UsageError(
    `${word} ${url} is no URL of an environment service; write it as http(s)://HOST:PORT/PATH, without user or password (a key goes into ${ENV_KEY}).`,
  );
}

/**
 * Reads a service's description.
 * @throws EnvironmentServiceError; the signal's reason if aborted
 */
export async function openHttpService(environment: HttpEnvironment, signal?: AbortSignal): Promise<EnvironmentService> {
  const connection = new Connection(environment);
  const limit = { signal, timeoutMs: Math.min(DESCRIPTION_MS, environment.timeoutMs ?? TIMEOUT_MS) };
  const { replays, options, defaults, ...said } = await connection.ask('GET', null, descriptionSchema, limit);
  const description = {
    ...said,
    replays: replays ?? true,
    options: options ?? undefined,
    defaults: { split: defaults?.split ?? undefined, maxSteps: defaults?.max_steps ?? undefined },
  };
  return new HttpEnvironmentService(connection, description);
}

class HttpEnvironmentService implements EnvironmentService {
  readonly description: ServiceDescription;
  readonly #connection: Connection;
  readonly #memory = new AnswerMemory();

  constructor(connection: Connection, description: ServiceDescription) {
    this.#connection = connection;
    this.description = description;
  }

  async tasks(request: ServiceDomain & { readonly split: string | null }, signal?: AbortSignal): Promise<ServiceTasks> {
    const { digest, rules, splits, tasks } = await this.#ask('tasks', request, tasksSchema, signal);
    const ids = new Set(tasks.map(({ id }) => id));
    if (ids.size < tasks.length) throw this.#invalid('tasks', 'two tasks have the same id');
    for (const [split, members] of Object.entries(splits)) {
      const at = members.findIndex((id) => !ids.has(id));
      if (at !== -1) throw this.#invalid('tasks', `splits.${split}.${at} names a task that "tasks" does not have`);
    }
    return {
      digest,
      rules: rules ?? undefined,
      splits,
      tasks: tasks.map(({ id, actions, outputs, instruction, sentences }) => ({
        id,
        actions: actions ?? undefined,
        outputs: outputs ?? undefined,
        instruction: instruction ?? undefined,
        sentences: sentences ?? undefined,
      })),
    };
  }

  async start(request: StartRequest, signal?: AbortSignal): Promise<ServiceStart> {
    const said = await this.#ask('start', request, startSchema, signal);
    const start = {
      policy: said.policy,
      tools: said.tools,
      userTools: said.user_tools ?? undefined,
      agentPrompt: said.agent_prompt ?? undefined,
      userPrompt: said.user_prompt ?? undefined,
      scenario: said.scenario ?? undefined,
      guidelines: said.guidelines ?? undefined,
      firstMessage: said.first_message ?? undefined,
      content: said.content ?? undefined,
      state: toState(said.state),
      life: said.life ?? undefined,
    };
    this.#agree(() => this.#memory.rememberStart(request, start, this.description.replays));
    return start;
  }

  async call(request: CallRequest, signal?: AbortSignal): Promise<ServiceObservation> {
    const { idempotencyKey, ...rest } = request;
    const said = await this.#ask('call', { ...rest, idempotency_key: idempotencyKey }, observationSchema, signal);
    const answer = {
      observation: said.observation,
      error: said.error ?? false,
      changed: said.changed ?? true,
      done: said.done ?? false,
      state: toState(said.state),
    };
    this.#agree(() => this.#memory.rememberCall(request, answer));
    return answer;
  }

  async grade(request: GradeRequest, signal?: AbortSignal): Promise<ServiceGrade> {
    const { endedBy, verdicts, ...rest } = request;
    const asked = {
      ...rest,
      ended_by: endedBy,
      verdicts: verdicts?.map(({ assertion, met, reason }) => ({ sentence: assertion, met, reason })),
    };
    const { reward, parts } = await this.#ask('grade', asked, gradeSchema, signal);
    const grade = { reward, parts: (parts ?? []).map(toPart).toSorted((a, b) => Number(b.counts) - Number(a.counts)) };
    this.#agree(() => this.#memory.rememberGrade(request, grade));
    return grade;
  }

  async #ask<S extends z.ZodType>(
    request: string,
    { episode, ...asked }: ServiceDomain & { readonly episode?: string; readonly idempotency_key?: string },
    schema: S,
    signal: AbortSignal | undefined,
  ): Promise<z.output<S>> {
    const body = { protocol: PROTOCOL, request, episode, ...asked };
    // A caller with a signal has its own time limit.
    const limit = { signal, timeoutMs: signal === undefined ? this.#connection.timeoutMs : MOST_TIMEOUT_MS };
    return await this.#connection.ask(request, body, schema, limit);
  }

  #agree(remember: () => string | null): void {
    const contradiction = remember();
    if (contradiction !== null) throw this.#connection.fault('contradiction', contradiction);
  }

  #invalid(request: string, problem: string): EnvironmentServiceError {
    return this.#connection.fault('invalid', `answered "${request}" with what is no answer (${problem})`);
  }
}

interface Limit {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** Sends requests to one service, and converts invalid answers to faults. */
class Connection {
  readonly timeoutMs: number;
  readonly #service: { readonly url: string; readonly key: string | null; readonly name: string };
  readonly #clean: (message: string) => string;
  readonly #removeKey: (body: string) => string;

  constructor({ url, key = null, timeoutMs = TIMEOUT_MS }: HttpEnvironment) {
    const { origin, pathname } = new URL(url);
    this.#service = { url, key, name: `the environment service at ${origin}${pathname}` };
    this.timeoutMs = timeoutMs;
    const redact = createRedactor([key]);
    this.#clean = (message) => forTerminal(redact(message));
    this.#removeKey = createKeyRemover([key]);
  }

  /**
   * @param body null for a `GET`
   * @throws EnvironmentServiceError; the signal's reason if aborted
   */
  async ask<S extends z.ZodType>(
    request: string,
    body: { readonly idempotency_key?: string } | null,
    schema: S,
    limit: Limit,
  ): Promise<z.output<S>> {
    const headers: Record<string, string> =
      body?.idempotency_key === undefined ? {} : { 'idempotency-key': body.idempotency_key };
    const reply = await this.#exchange(body === null ? null : JSON.stringify(body), headers, limit);
    if (reply.status < 200 || reply.status > 299) throw this.#refusal(request, reply);
    const json = parsedJson(this.#removeKey(reply.body));
    const quoted = quoteBody(reply.body);
    const what = `answered ${request === 'GET' ? request : `"${request}"`} with what is no`;
    if (json === undefined) throw this.fault('invalid', `${what} JSON${quoted}`);
    const { data, error } = schema.safeParse(json);
    if (error === undefined) return data;
    const [issue] = error.issues;
    const where = issue?.path.join('.') ?? '';
    throw this.fault('invalid', `${what} answer (${where || 'it'} ${issue?.message ?? 'is wrong'})${quoted}`);
  }

  /** @param what the service's action, a phrase that follows its name in the message */
  fault(fault: ServiceFault, what: string, retryAfterMs?: number): EnvironmentServiceError {
    return new EnvironmentServiceError(fault, this.#clean(`${this.#service.name} ${what}`), { retryAfterMs });
  }

  async #exchange(body: string | null, headers: Readonly<Record<string, string>>, limit: Limit): Promise<HttpReply> {
    try {
      return await exchange(this.#service, body, headers, limit);
    } catch (error) {
      if (!(error instanceof HttpServiceError)) throw error;
      const { fault, message } = error;
      const advice = fault === 'redirected' ? '; give --env-url as it is there' : '';
      throw new EnvironmentServiceError(FAULTS[fault], this.#clean(`${message}${advice}`), { cause: error });
    }
  }

  #refusal(request: string, { status, headers, body }: HttpReply): EnvironmentServiceError {
    const { error } = jsonObject(body) ?? {};
    const isTyped = isObject(error) && typeof error['type'] === 'string';
    const type = isTyped ? ` (${String(error['type']).slice(0, MOST_TYPE_CHARS)})` : '';
    const said = quoteBody(body, isTyped ? MOST_SENTENCE_CHARS : undefined);
    const what = `answered ${request === 'GET' ? request : `"${request}"`} with ${status}${type}${said}`;
    if (status === 408 || status === 425 || status === 429 || status >= 500) {
      return this.fault('outage', what, readRetryAfter(headers, Date.now()));
    }
    if (status === 409 && isObject(error) && error['type'] === 'episode_lost') return this.fault('lost', what);
    return this.fault('refused', `${what}${ADVICE[status] ?? ''}`);
  }
}

const MOST_TYPE_CHARS = 40;
/** Longest message of a service's error, which is written for people. */
const MOST_SENTENCE_CHARS = 600;

const FAULTS = {
  unreached: 'outage',
  broken: 'outage',
  timeout: 'outage',
  redirected: 'refused',
  too_large: 'invalid',
} as const satisfies Record<HttpServiceError['fault'], ServiceFault>;

const ADVICE: Readonly<Record<number, string>> = {
  401: `; set ${ENV_KEY}`,
  403: `; set ${ENV_KEY}`,
  405: '; check --env-url',
};

function toState(state: z.infer<typeof startSchema>['state']): ServiceState {
  return { agent: state?.agent ?? null, user: state?.user ?? null };
}

type SaidPart = NonNullable<z.infer<typeof gradeSchema>['parts']>[number];

function toPart({ kind, counts, checks: said }: SaidPart): GradePart {
  const checks = said.map(({ wanted, met, reason }) => ({
    wanted: wanted ?? null,
    isMet: met ?? null,
    reason: reason ?? undefined,
  }));
  switch (kind) {
    case 'data':
      return { kind, counts, checks, numberSpellingOnly: false };
    case 'outputs':
      return { kind, counts, checks, areWords: true };
    case 'calls':
    case 'assertions':
    case 'sentences':
      return { kind, counts, checks };
  }
}
