/**
 * Collects the agent's words in one request, from the events of a stream or by polling a task, until it has an answer.
 */

import { Role, TaskState, type Message, type Part, type StreamResponse, type Task } from '@a2a-js/sdk';
import { marksThought } from '../../../agents/index.ts';
import {
  isKnownMessage,
  isKnownStatus,
  newParts,
  rememberTask,
  type ArtifactParts,
  type ReceivedTask,
} from './received-task.ts';
import { partsHaveWords, saidPart, joinTextParts, textPart } from './parts.ts';
import { isAppended, isFinalEvent, isOpen } from './raw.ts';

/** The request to be answered. */
interface SentMessage {
  readonly messageId: string;
  /** The task that the message continues; empty: none. */
  readonly taskId: string;
  /** The last task after the previous request. */
  readonly heard: ReceivedTask | undefined;
}

/**
 * State of the answer:
 * - `working`: the agent will say more;
 * - `unclear`: the state may be from before the request, or is not informative;
 * - `settled`: the agent will say nothing more before the next request.
 */
type Standing = 'working' | 'unclear' | 'settled';

type Artifact = Task['artifacts'][number];

/** Most parts of an artifact in a stream. */
const MOST_PARTS = 10_000;
const WORKING: ReadonlySet<TaskState | undefined> = new Set([
  undefined,
  TaskState.TASK_STATE_SUBMITTED,
  TaskState.TASK_STATE_WORKING,
]);

/** States of a task with an answer. */
const ANSWERS: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_UNSPECIFIED,
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
]);

export class AnswerCollector {
  readonly #sent: SentMessage;
  readonly #artifacts = new Map<string, { artifact: Artifact; parts: Part[] }>();
  readonly #brought = new Map<string, { parts: Part[]; isRest: boolean }>();
  #message: Message | undefined;
  #task: Task | undefined;
  /** The last message of a state that was not final. */
  #progress: Message | undefined;
  /** True if the last event had the whole task. */
  #isWhole = false;
  /** True after an event that only the request can have caused. */
  #hasBegun = false;
  #isFinal = false;
  /** True if the agent has marked the last event as not the last of the stream. */
  #isOpen = false;

  constructor(sent: SentMessage) {
    this.#sent = sent;
  }

  /** The task, with its artifacts without thoughts; null without a task. */
  get task(): Task | null {
    if (this.#task === undefined || this.#message !== undefined) return null;
    const artifacts = Array.from(this.#artifacts.values(), ({ artifact, parts }) => ({ ...artifact, parts }));
    return { ...this.#task, artifacts };
  }

  get context(): string {
    return (this.#message ?? this.#task)?.contextId ?? '';
  }

  get isEmpty(): boolean {
    return this.#message === undefined && this.#task === undefined;
  }

  enter({ payload }: StreamResponse): void {
    this.#isWhole = false;
    // A message before a task was a thought, and must not be taken for the answer.
    this.#message = undefined;
    switch (payload?.$case) {
      case 'message':
        this.#message = payload.value;
        return;
      case 'task':
        this.enterTask(payload.value);
        return;
      case 'statusUpdate': {
        const { taskId: id, contextId, status } = payload.value;
        this.#task = { ...(this.#task ?? emptyTask(id, contextId)), status };
        this.#isFinal = isFinalEvent(payload.value);
        this.#isOpen = isOpen(payload.value);
        if (!WORKING.has(status?.state)) return;
        this.#hasBegun = true;
        if (status?.message !== undefined) this.#progress = status.message;
        return;
      }
      case 'artifactUpdate': {
        const { taskId: id, contextId, artifact } = payload.value;
        this.#task ??= emptyTask(id, contextId);
        this.#hasBegun = true;
        if (artifact !== undefined) this.#bring(artifact, isAppended(payload.value));
        return;
      }
      case undefined:
    }
  }

  /** Handles the end of a stream. Its last state is final, even if the agent has not marked it so. */
  endStream(): void {
    this.#isOpen = false;
  }

  /** Adds a whole task; some servers leave out the parts of earlier events. */
  enterTask(task: Task): void {
    this.#task = { ...task, artifacts: [] };
    this.#isWhole = true;
    if (task.status !== undefined && WORKING.has(task.status.state)) this.#hasBegun = true;
    for (const artifact of task.artifacts) {
      if (isThought(artifact)) continue;
      this.#artifacts.set(artifact.artifactId, { artifact, parts: artifact.parts.filter(saidPart) });
      const brought = this.#brought.get(artifact.artifactId);
      if (brought !== undefined) brought.isRest = false;
    }
  }

  #bring(artifact: Artifact, append: boolean): void {
    if (isThought(artifact)) return;
    const { artifactId: id } = artifact;
    const parts = artifact.parts.filter(saidPart);
    const known = this.#artifacts.get(id);
    if (!append || known === undefined) {
      this.#artifacts.set(id, { artifact, parts });
      this.#brought.set(id, { parts: [...parts], isRest: append });
      return;
    }
    const brought = this.#brought.get(id) ?? { parts: [], isRest: false };
    this.#brought.set(id, brought);
    // A loop, because an event may have more parts than a call may have arguments.
    for (const part of parts.slice(0, Math.max(0, MOST_PARTS - known.parts.length))) {
      known.parts.push(part);
      brought.parts.push(part);
    }
  }

  standing(): Standing {
    if (this.#message !== undefined) return partsHaveWords(this.#words(this.#message)) ? 'settled' : 'unclear';
    const state = this.#task?.status?.state;
    if (WORKING.has(state) || this.#isOpen) return 'working';
    if (state === TaskState.TASK_STATE_UNSPECIFIED) return this.#isFinal ? 'settled' : 'unclear';
    const mayBeOld = state === TaskState.TASK_STATE_INPUT_REQUIRED && this.#sent.taskId !== '' && !this.#hasBegun;
    return mayBeOld && !this.hasNews() ? 'unclear' : 'settled';
  }

  /** True if there are new words since the previous request. */
  hasNews(): boolean {
    const { task } = this;
    if (task === null) return this.#message !== undefined;
    return [this.#made(task), this.#asked(task), this.#inHistory(task)].some(partsHaveWords);
  }

  /** True if the agent's words may be only in the history, which events do not bring. */
  get mayBeInHistory(): boolean {
    const state = this.#task?.status?.state;
    return !this.#isWhole && state !== undefined && ANSWERS.has(state) && !partsHaveWords(this.parts());
  }

  /** Returns the agent's words: new parts of the task's artifacts, or its message, or its last progress message. */
  parts(): readonly Part[] {
    if (this.#message !== undefined) return this.#words(this.#message);
    const { task } = this;
    if (task === null) return [];
    const [made, asked, written] = [this.#made(task), this.#asked(task), this.#inHistory(task)];
    if (task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED && partsHaveWords(asked))
      return mergeParts(made, asked);
    // A status is always current, because an agent without news repeats it.
    const [progress, status] = [this.#progress, task.status?.message].map((message) => this.#words(message));
    return (
      [made, asked, written, progress, status].find((parts) => parts !== undefined && partsHaveWords(parts)) ?? made
    );
  }

  /** Returns the state of the task for the next request. */
  remember(): ReceivedTask | undefined {
    const { task } = this;
    return task === null ? undefined : rememberTask(task, this.#heard, this.#brought);
  }

  get #heard(): ReceivedTask | undefined {
    const { heard } = this.#sent;
    return heard?.task === this.#task?.id ? heard : undefined;
  }

  #words(message: Message | undefined): readonly Part[] {
    return message === undefined || marksThought(message.metadata) ? [] : message.parts.filter(saidPart);
  }

  /** Returns the message of the task's status, if it is new. */
  #asked(task: Task): readonly Part[] {
    const message = task.status?.message;
    if (message === undefined) return [];
    const isKnown = isKnownMessage(message, this.#heard) && isKnownStatus(task, this.#heard);
    return isKnown ? [] : this.#words(message);
  }

  #made(task: Task): readonly Part[] {
    return task.artifacts.flatMap((artifact) => {
      const brought: ArtifactParts | undefined = this.#brought.get(artifact.artifactId);
      return joinParts(newParts(artifact, this.#heard, brought));
    });
  }

  /** Returns the agent's last message in the history, if it is new. */
  #inHistory({ history }: Task): readonly Part[] {
    const own = history.findLastIndex(({ messageId }) => messageId === this.#sent.messageId);
    const last = history
      .slice(own + 1)
      .findLast((each) => each.role === Role.ROLE_AGENT && partsHaveWords(this.#words(each)));
    return last === undefined || isKnownMessage(last, this.#heard) ? [] : this.#words(last);
  }
}

/** Names of artifacts that are thoughts. */
const THOUGHTS = /^(?:thoughts?|thinking|reasoning)$/i;

function isThought({ metadata, name }: Artifact): boolean {
  return marksThought(metadata) || THOUGHTS.test(name);
}

/** Joins the words of a task and its question; words that are in both appear once. */
function mergeParts(made: readonly Part[], asked: readonly Part[]): readonly Part[] {
  const [first = '', second = ''] = [made, asked].map((parts) => joinTextParts(parts)?.trim());
  if (first.includes(second)) return [...made, ...asked.filter(({ content }) => content?.$case !== 'text')];
  return second.includes(first)
    ? [...made.filter(({ content }) => content?.$case !== 'text'), ...asked]
    : [...made, ...asked];
}

function emptyTask(id: string, contextId: string): Task {
  return { id, contextId, status: undefined, artifacts: [], history: [], metadata: undefined };
}

/** Joins the texts of an artifact, which may come word by word. */
function joinParts(parts: readonly Part[]): Part[] {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  const others = parts.filter(({ content }) => content?.$case !== 'text');
  return texts.length === 0 ? others : [textPart(texts.join('')), ...others];
}
