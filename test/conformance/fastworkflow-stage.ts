/** The setting of FastWorkflow's whole pipeline: the benchmark's own environment, and a model that knows its tasks. */

import { fastWorkflow } from '../../src/agents/fastworkflow/index.ts';
import { AgentError, type StrategyDefinition, type StrategyOptions } from '../../src/agents/index.ts';
import {
  applyAction,
  openOverlay,
  grade,
  RESPOND,
  STOP_MARKER,
  type Overlay,
  type Action,
} from '../../src/benchmarks/index.ts';
import { dumpJson } from '../../src/benchmarks/python/index.ts';
import { formatPackKey, type Pack } from '../../src/benchmarks/testing.ts';
import type { ScriptedResponder } from '../../src/scripted-model/index.ts';
import { createHasher } from '../benchmarks/helpers.ts';
import { askResponder, playEpisode, type Ask, type Counts, type Played } from '../scripted-model/episodes.ts';
import { indexed, newResponder, OPTIONS } from '../scripted-model/helpers.ts';

export interface Graded extends Played {
  readonly taskId: number;
  readonly reward: number;
}

export interface Variant {
  /** @default fastworkflow */
  readonly strategy?: StrategyDefinition;
  readonly model?: string;
  readonly seed?: number;
  readonly options?: Partial<StrategyOptions>;
  /** Steps of the agent that the model's context has room for. @default all */
  readonly window?: number;
  /** @default 30 */
  readonly maxSteps?: number;
  /** Messages of a user who is not content with the first answer, the opening included. @default 1 */
  readonly messages?: number;
}

/** A pack's test tasks, and the model that knows them. */
export class Stage {
  readonly pack: Pack;
  readonly responder: ScriptedResponder;
  /** Reading a pack's whole data for their hash costs more than an episode. */
  readonly #hash: (overlay: Overlay) => string;

  constructor(pack: Pack) {
    this.pack = pack;
    this.responder = newResponder(pack);
    this.#hash = createHasher(pack);
  }

  get taskIds(): number[] {
    return [...(this.pack.splits['test'] ?? []).keys()];
  }

  async play(taskId: number, variant: Variant = {}): Promise<Graded> {
    const { strategy = fastWorkflow, model = 'oracle+natural', seed = 10, window = Infinity, maxSteps = 30 } = variant;
    const ask = withWindow(askResponder(this.responder, model), window);
    const options = { ...OPTIONS, ...variant.options };
    const { pack } = this;
    const overlay = openOverlay(pack);
    const played = await playEpisode({
      pack,
      split: 'test',
      taskId,
      seed,
      strategy,
      ask: withFurtherMessages(ask, variant.messages ?? 1),
      observe: (action) => applyAction(pack, overlay, action).observation,
      options,
      maxSteps,
    });
    const graded = grade(pack, indexed(pack, 'test', taskId).task, played.actions, { hash: this.#hash });
    const isDone = played.end === 'done' && graded.kind === 'graded';
    return { ...played, taskId, reward: isDone ? graded.grade.reward : 0 };
  }

  async playAll(variant: Variant = {}): Promise<Graded[]> {
    const episodes: Graded[] = [];
    for (const taskId of this.taskIds) episodes.push(await this.play(taskId, variant));
    return episodes;
  }

  /** The commands that solve a task, in their order. */
  groundTruth(taskId: number): string[] {
    const code = { packKey: formatPackKey(this.pack), split: 'test', taskId, seed: 10 };
    const calls = this.responder.script(code, 1).moves.flatMap((move) => (move.kind === 'call' ? [move.action] : []));
    return calls.filter(({ name }) => name !== 'think').map(shown);
  }
}

export function shown({ name, kwargs }: Action): string {
  return `${name} ${dumpJson(new Map([...kwargs].sort(([a], [b]) => (a < b ? -1 : 1))))}`;
}

export function commandsOf({ actions }: Graded): string[] {
  return actions.filter(({ name }) => name !== RESPOND).map(shown);
}

export function failedTasks(episodes: readonly Graded[]): number[] {
  return episodes.filter(({ reward }) => reward !== 1).map(({ taskId }) => taskId);
}

export function sumCounts(episodes: readonly Graded[]): Counts {
  const sums: Record<string, number> = {};
  for (const { counts } of episodes) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

/** A provider turns down what is longer than the model's context. */
function withWindow(ask: Ask, window: number): Ask {
  return (body) => {
    const shownSteps = new Set(JSON.stringify(body).match(/\[\[ ## tool_name_\d+ ## \]\]/g));
    if (shownSteps.size <= window) return ask(body);
    return Promise.reject(new AgentError('context_overflow', 'the prompt is too long'));
  };
}

const FURTHER = 'Thank you. Before we end: is there really nothing left to do about my request?';

/** The user asks on where the scripted one would stop. */
function withFurtherMessages(ask: Ask, messages: number): Ask {
  let left = messages - 1;
  return async (body) => {
    const answer = await ask(body);
    if (answer.role !== 'user' || answer.message.content !== STOP_MARKER || left === 0) return answer;
    left -= 1;
    const message = { ...answer.message, content: FURTHER };
    return { ...answer, message, completionTokens: Math.ceil(FURTHER.length / 4) };
  };
}
