/** Tasks of A2A peers: each represents a run, which outlives this process, and from which the task can be rebuilt. */

import {
  AgentEvent,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type ServerCallContext,
  type TaskStore,
} from '@a2a-js/sdk/server';
import { Role, TaskState, type Artifact, type Message, type Task } from '@a2a-js/sdk';
import { findData, dataPart, joinTextParts, textPart } from '../../agent-service/index.ts';
import { ASSESSMENT_HELP, readAssessment } from './assessment.ts';
import type { RunAssessment, AssessmentRuns } from './runs.ts';

/** Most simultaneous runs, because each has its own workers. */
const MOST_RUNS = 4;

const toRunId = (task: string) => `a2a-${task}`;
/** Matches valid ids of tasks, which become part of the run's id and folder name. */
const TASK_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Executes requests of peers. */
export class Assessor implements AgentExecutor {
  readonly #runs: AssessmentRuns;

  constructor(runs: AssessmentRuns) {
    this.#runs = runs;
  }

  readonly execute: AgentExecutor['execute'] = async ({ taskId, contextId, userMessage, task }, bus) => {
    const progress = new TaskProgress(bus, { id: taskId, contextId, begun: task });
    progress.begin(userMessage);
    const { parts } = userMessage;
    const read = readAssessment(joinTextParts(parts) ?? '', findData(parts));
    if ('problem' in read) return progress.end(TaskState.TASK_STATE_REJECTED, `${read.problem} ${ASSESSMENT_HELP}`);
    if (!TASK_ID.test(taskId))
      return progress.end(TaskState.TASK_STATE_REJECTED, 'the id of the task is no name of a run.');
    if (this.#runs.underWay >= MOST_RUNS) {
      return progress.end(TaskState.TASK_STATE_REJECTED, `${MOST_RUNS} assessments are under way; ask again later.`);
    }
    const assessed = await this.#runs.run(toRunId(taskId), read, (line) => progress.say(line));
    if (assessed.kind === 'failed') return progress.end(TaskState.TASK_STATE_FAILED, assessed.message);
    progress.report(assessed);
  };

  readonly cancelTask: AgentExecutor['cancelTask'] = async (taskId, bus) => {
    await this.#runs.cancel(toRunId(taskId));
    new TaskProgress(bus, { id: taskId, contextId: taskId, begun: undefined }).end(
      TaskState.TASK_STATE_CANCELED,
      'the run is canceled',
    );
  };
}

class TaskProgress {
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
    this.#bus.publish(AgentEvent.task(begun ?? { ...createTask(id, contextId), history: [asked] }));
  }

  say(words: string, state = TaskState.TASK_STATE_WORKING): void {
    const { id: taskId, contextId } = this.#place;
    const message = createMessage(taskId, contextId, words);
    const status = { state, message, timestamp: new Date().toISOString() };
    this.#bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }

  end(state: TaskState, words: string): void {
    this.say(words, state);
    this.#bus.finished();
  }

  report(assessed: Extract<RunAssessment, { kind: 'report' }>): void {
    const { id: taskId, contextId } = this.#place;
    const artifact = createArtifact(assessed);
    this.#bus.publish(
      AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }),
    );
    this.end(TaskState.TASK_STATE_COMPLETED, 'the report is in the artifact');
  }
}

/** Stores tasks in memory, and rebuilds tasks of earlier processes from their runs. */
export class RunStore extends InMemoryTaskStore implements TaskStore {
  readonly #runs: AssessmentRuns;

  constructor(runs: AssessmentRuns) {
    super();
    this.#runs = runs;
  }

  override async load(id: string, context: ServerCallContext): Promise<Task | undefined> {
    const known = await super.load(id, context);
    if (known !== undefined || !TASK_ID.test(id) || !(await this.#runs.exists(toRunId(id)))) return known;
    const task = createTask(id, id);
    await this.save(task, context);
    const enter = (change: Partial<Task>) => void this.save({ ...task, ...change }, context);
    const state = (value: TaskState, words: string) => ({
      status: { state: value, message: createMessage(id, id, words), timestamp: new Date().toISOString() },
    });
    void this.#runs
      .run(toRunId(id), null, (line) => enter(state(TaskState.TASK_STATE_WORKING, line)))
      .then((assessed) => {
        if (assessed.kind === 'failed') enter(state(TaskState.TASK_STATE_FAILED, assessed.message));
        else {
          const done = state(TaskState.TASK_STATE_COMPLETED, 'the report is in the artifact');
          enter({ ...done, artifacts: [createArtifact(assessed)] });
        }
      });
    return task;
  }
}

function createTask(id: string, contextId: string): Task {
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: new Date().toISOString() };
  return { id, contextId, status, artifacts: [], history: [], metadata: undefined };
}

function createMessage(taskId: string, contextId: string, words: string): Message {
  return {
    messageId: crypto.randomUUID(),
    taskId,
    contextId,
    role: Role.ROLE_AGENT,
    parts: [textPart(words)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function createArtifact({ text, json }: Extract<RunAssessment, { kind: 'report' }>): Artifact {
  return {
    artifactId: 'report',
    name: 'report',
    description: 'Report of the run: as Markdown, and its figures as JSON.',
    parts: [textPart(text, 'text/markdown'), dataPart(json)],
    metadata: undefined,
    extensions: [],
  };
}
