/** `tauflow serve a2a`: an A2A agent that assesses other agents, a task for each run. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AgentCard, Role, TaskState, type Artifact, type Message, type Part, type Task } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type AgentExecutor,
  type ExecutionEventBus,
  type TaskStore,
} from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { closeServer, listenOnLoopback, readBody, Refusal, requestPath } from '../../io/index.ts';
import { version } from '../../host/surroundings.ts';
import { ASSESSMENT_HELP, readAssessment } from './assessment.ts';
import type { Assessed, AssessmentRuns } from './runs.ts';

const MAX_BODY_BYTES = 1_000_000;
/** Runs at a time: each has workers of its own. */
const MOST_RUNS = 4;

export interface RunningAssessor {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** @throws PortTakenError */
export async function startAssessor(runs: AssessmentRuns, port: number): Promise<RunningAssessor> {
  const server = createServer();
  const url = await listenOnLoopback(server, port);
  const card = cardOf(url);
  const handler = new DefaultRequestHandler(AgentCard.fromJSON(card), new RunStore(runs), new Assessor(runs));
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);
  const hosts = new Set([url, url.replace('127.0.0.1', 'localhost')].map((each) => new URL(each).host));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { host = '', origin } = request.headers;
      // A page of a browser gets nothing, as at the gateway.
      if (!hosts.has(host.toLowerCase()) || origin !== undefined)
        throw new Refusal(403, `only requests to ${url} are answered`);
      if (request.method === 'GET' && CARD_PATHS.has(requestPath(request))) return sendJson(response, 200, card);
      if (request.method !== 'POST' || requestPath(request) !== '/')
        throw new Refusal(404, 'there is nothing at this address');
      const body = await readBody(request, MAX_BODY_BYTES);
      const isOld = /"method"\s*:\s*"(?:message|tasks|agent)\//.test(body);
      const context = new ServerCallContext({ requestedVersion: isOld ? '0.3' : '1.0' });
      const said = await (isOld ? legacy : current).handle(body, context);
      if (!(Symbol.asyncIterator in said)) return sendJson(response, 200, said);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      for await (const event of said) {
        // Whoever listens no more has the task still.
        if (response.destroyed) break;
        response.write(`data: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      sendJson(response, status, { error: error instanceof Refusal ? error.message : 'internal error' });
    }
  };
  server.on('request', (request, response) => void answer(request, response));
  return { url, close: () => closeServer(server) };
}

const CARD_PATHS: ReadonlySet<string> = new Set(['/.well-known/agent-card.json', '/.well-known/agent.json']);

function sendJson(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** A card that clients of 1.0 and of 0.3 can read. */
function cardOf(url: string) {
  const endpoint = `${url}/`;
  return {
    name: 'tauflow',
    description: 'Assesses customer-service agents on tau-bench: name an agent by its URL, get a report.',
    version,
    ...{ url: endpoint, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' },
    supportedInterfaces: ['1.0', '0.3'].map((each) => ({
      ...{ url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: each },
    })),
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/markdown', 'application/json'],
    skills: [
      {
        id: 'assess',
        name: 'Assess an agent',
        description: ASSESSMENT_HELP,
        tags: ['evaluation', 'tau-bench'],
        examples: ['assess http://127.0.0.1:9000, 4 trials'],
      },
    ],
  };
}

const runIdOf = (task: string) => `a2a-${task}`;
/** A task's id becomes part of a run's, and of its folder's name. */
const TASK_ID = /^[A-Za-z0-9-]{1,64}$/;

class Assessor implements AgentExecutor {
  readonly #runs: AssessmentRuns;

  constructor(runs: AssessmentRuns) {
    this.#runs = runs;
  }

  readonly execute: AgentExecutor['execute'] = async ({ taskId, contextId, userMessage, task }, bus) => {
    const progress = new Progress(bus, { id: taskId, contextId, begun: task });
    progress.begin(userMessage);
    const text = textIn(userMessage.parts);
    const read = readAssessment(text, dataIn(userMessage.parts));
    if ('problem' in read) return progress.end(TaskState.TASK_STATE_REJECTED, `${read.problem} ${ASSESSMENT_HELP}`);
    if (!TASK_ID.test(taskId))
      return progress.end(TaskState.TASK_STATE_REJECTED, 'the id of the task is no name of a run.');
    if (this.#runs.underWay >= MOST_RUNS) {
      return progress.end(TaskState.TASK_STATE_REJECTED, `${MOST_RUNS} assessments are under way; ask again later.`);
    }
    const assessed = await this.#runs.run(runIdOf(taskId), read, (line) => progress.say(line));
    if (assessed.kind === 'failed') return progress.end(TaskState.TASK_STATE_FAILED, assessed.message);
    progress.report(assessed);
  };

  readonly cancelTask: AgentExecutor['cancelTask'] = async (taskId, bus) => {
    await this.#runs.cancel(runIdOf(taskId));
    new Progress(bus, { id: taskId, contextId: taskId, begun: undefined }).end(
      TaskState.TASK_STATE_CANCELED,
      'the run is canceled',
    );
  };
}

/** Events that are published of a task. */
class Progress {
  readonly #bus: ExecutionEventBus;
  readonly #place: { readonly id: string; readonly contextId: string; readonly begun: Task | undefined };

  constructor(
    bus: ExecutionEventBus,
    place: { readonly id: string; readonly contextId: string; readonly begun: Task | undefined },
  ) {
    this.#bus = bus;
    this.#place = place;
  }

  begin(asked: Message): void {
    const { id, contextId, begun } = this.#place;
    this.#bus.publish(AgentEvent.task(begun ?? { ...taskOf(id, contextId), history: [asked] }));
  }

  say(words: string, state = TaskState.TASK_STATE_WORKING): void {
    const { id: taskId, contextId } = this.#place;
    const message = messageOf(taskId, contextId, words);
    const status = { state, message, timestamp: new Date().toISOString() };
    this.#bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }

  end(state: TaskState, words: string): void {
    this.say(words, state);
    this.#bus.finished();
  }

  report(assessed: Extract<Assessed, { kind: 'report' }>): void {
    const { id: taskId, contextId } = this.#place;
    const artifact = artifactOf(assessed);
    this.#bus.publish(
      AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }),
    );
    this.end(TaskState.TASK_STATE_COMPLETED, 'the report is in the artifact');
  }
}

/** Tasks in memory, and those of a process before by their runs. */
class RunStore extends InMemoryTaskStore implements TaskStore {
  readonly #runs: AssessmentRuns;

  constructor(runs: AssessmentRuns) {
    super();
    this.#runs = runs;
  }

  override async load(id: string, context: ServerCallContext): Promise<Task | undefined> {
    const known = await super.load(id, context);
    if (known !== undefined || !TASK_ID.test(id) || !(await this.#runs.exists(runIdOf(id)))) return known;
    const task = taskOf(id, id);
    await this.save(task, context);
    const enter = (change: Partial<Task>) => void this.save({ ...task, ...change }, context);
    const state = (value: TaskState, words: string) => ({
      status: { state: value, message: messageOf(id, id, words), timestamp: new Date().toISOString() },
    });
    void this.#runs
      .run(runIdOf(id), null, (line) => enter(state(TaskState.TASK_STATE_WORKING, line)))
      .then((assessed) => {
        if (assessed.kind === 'failed') enter(state(TaskState.TASK_STATE_FAILED, assessed.message));
        else {
          const done = state(TaskState.TASK_STATE_COMPLETED, 'the report is in the artifact');
          enter({ ...done, artifacts: [artifactOf(assessed)] });
        }
      });
    return task;
  }
}

function taskOf(id: string, contextId: string): Task {
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: new Date().toISOString() };
  return { id, contextId, status, artifacts: [], history: [], metadata: undefined };
}

function messageOf(taskId: string, contextId: string, words: string): Message {
  return {
    messageId: crypto.randomUUID(),
    ...{ taskId, contextId, role: Role.ROLE_AGENT, parts: [part({ $case: 'text', value: words }, 'text/plain')] },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
}

function artifactOf({ text, json }: Extract<Assessed, { kind: 'report' }>): Artifact {
  return {
    artifactId: 'report',
    name: 'report',
    description: 'Report of the run: as Markdown, and its figures as JSON.',
    parts: [
      part({ $case: 'text', value: text }, 'text/markdown'),
      part({ $case: 'data', value: json }, 'application/json'),
    ],
    metadata: undefined,
    extensions: [],
  };
}

function part(content: NonNullable<Part['content']>, mediaType: string): Part {
  return { content, mediaType, filename: '', metadata: undefined };
}

function textIn(parts: readonly Part[]): string {
  return parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n');
}

function dataIn(parts: readonly Part[]): object | null {
  for (const { content } of parts) {
    const value: unknown = content?.$case === 'data' ? content.value : null;
    if (typeof value === 'object' && value !== null) return value;
  }
  return null;
}
