/**
 * The connection between FastWorkflow and the benchmark: a planned command becomes an environment action, its
 * observation becomes the tool's result, and a message to the user becomes `respond`.
 *
 * The bridge also records the trajectory for the results file, in a form that can be replayed: commands as tool calls,
 * messages as plain assistant messages.
 */

import {
  MAX_INT_DIGITS,
  JsonError,
  dumpJson,
  isDict,
  isList,
  parseJson,
  type PyValue,
  PyFloat,
  type PyDict,
} from '../../benchmarks/python/index.ts';
import { RESPOND, type Action, type StepResult } from '../../benchmarks/pure.ts';
import { type AgentSession, type Message, type SolveEnd, AgentError } from '../port.ts';
import { formatAction, transcribeStep } from '../step-events.ts';
import type { FastWorkflowOptions } from './options.ts';
import { readableJson } from './json.ts';

/** Outcome of an environment action: a text to continue from, or the end of the episode. */
export type ActionResult =
  { readonly kind: 'observed'; readonly text: string } | { readonly kind: 'ended'; readonly end: SolveEnd };

const TRAJECTORY_HEADING = 'FastWorkflow agent: commands are shown as tool calls, planning and reasoning are left out.';

export class Bridge {
  readonly #session: AgentSession;
  readonly #options: FastWorkflowOptions;
  #calls: number;

  constructor(session: AgentSession, options: FastWorkflowOptions) {
    this.#session = session;
    this.#options = options;
    const { trajectory, firstMessage } = session;
    // Another strategy may have begun the conversation.
    if (trajectory.length === 0) trajectory.push({ role: 'user', content: firstMessage });
    this.#calls = trajectory.filter((message) => message.role === 'tool').length;
    trajectory.unshift({ role: 'system', content: TRAJECTORY_HEADING });
  }

  /**
   * Executes a command in the environment.
   * @throws AgentError `invalid_action` for parameters that cannot be arguments
   */
  async execute(planned: PlannedCommand): Promise<ActionResult> {
    const action = toAction(planned, this.#options);
    const { asked, answered } = this.#toolCall(action);
    const acted = await this.#take(action, () => this.#enter(action), asked, answered);
    return acted.kind === 'ended' ? acted : { kind: 'observed', text: render(planned, action, acted.result) };
  }

  /**
   * Records a command without executing it: a tool call in the trajectory only.
   * @returns a text for the agent: the decision, and that nothing was executed
   */
  decide(planned: PlannedCommand): { readonly kind: 'observed'; readonly text: string } {
    const action = toAction(planned, this.#options);
    const { asked, answered } = this.#toolCall(action);
    const observation = `Nothing was executed, because only decisions are wanted. Decided: ${formatAction(action)}`;
    this.#session.trajectory.push(asked, answered(observation));
    this.#session.transcribe({ what: 'note', text: observation });
    const info = { source: action.name, done: false };
    return { kind: 'observed', text: renderObsForAgent({ observation, info }, action.name) };
  }

  /** Sends a message to the user; the observation is the user's answer. */
  async say(content: string): Promise<ActionResult> {
    const action: Action = { name: RESPOND, kwargs: new Map([['content', content]]) };
    const acted = await this.#take(
      action,
      () => this.#session.step(action),
      { role: 'assistant', content },
      (answer) => ({ role: 'user', content: answer }),
    );
    return acted.kind === 'ended' ? acted : { kind: 'observed', text: acted.result.observation };
  }

  #toolCall({ name, kwargs }: Action): { asked: Message; answered: (observation: string) => Message } {
    const id = `call_${this.#calls}`;
    this.#calls += 1;
    const call = { id, type: 'function', function: { name, arguments: dumpJson(kwargs) } } as const;
    return {
      asked: { role: 'assistant', content: null, tool_calls: [call] },
      answered: (content) => ({ role: 'tool', tool_call_id: id, name, content }),
    };
  }

  async #enter(action: Action): Promise<StepResult> {
    const result = await this.#session.step(action);
    if (isMissing(action, result)) this.#session.count('missing_tools');
    return result;
  }

  /** Refuses work after an episode's last step, because it would cost money without changing the outcome. */
  async #take(
    action: Action,
    take: () => Promise<StepResult>,
    asked: Message,
    answered: (observation: string) => Message,
  ): Promise<{ readonly kind: 'observed'; readonly result: StepResult } | Extract<ActionResult, { kind: 'ended' }>> {
    const session = this.#session;
    if (session.stepsLeft() <= 0) return { kind: 'ended', end: 'max_steps' };
    session.trajectory.push(asked);
    const result = await transcribeStep(session, action, take);
    session.trajectory.push(answered(result.observation));
    if (result.done) return { kind: 'ended', end: 'done' };
    return session.stepsLeft() > 0 ? { kind: 'observed', result } : { kind: 'ended', end: 'max_steps' };
  }
}

function render({ commandName }: PlannedCommand, action: Action, result: StepResult): string {
  const observation = isMissing(action, result) ? missingTool(commandName, action.name) : result.observation;
  return renderObsForAgent({ observation, info: { source: result.source, done: result.done } }, action.name);
}

/** @returns true if the environment answered that it lacks the tool */
function isMissing({ name }: Action, { observation }: StepResult): boolean {
  return observation === `Unknown action ${name}`;
}

/** Returns the message for the agent in place of the environment's short one. */
function missingTool(commandName: string, toolName: string): string {
  return (
    `The command ${commandName} could not be carried out: it stands for the tool ${toolName}, which this environment ` +
    'does not have. Nothing was changed; use another command.'
  );
}

/** A planned environment action: the name of its tool, and its arguments. */
export interface PlannedCommand {
  readonly commandName: string;
  /** The planner's arguments in any form; see {@link serialiseParameters}. */
  readonly cmdParameters: unknown;
}

/**
 * Converts a planned command to an environment action: its tool's name and its arguments.
 *
 * @param options `toolNames` maps commands to tools with other names
 * @throws AgentError `invalid_action` for parameters that cannot be arguments
 */
export function toAction(
  { commandName, cmdParameters }: PlannedCommand,
  options: Pick<FastWorkflowOptions, 'toolNames'> = {},
): Action {
  return { name: findToolName(commandName, options), kwargs: serialiseParameters(cmdParameters) };
}

/** Returns the tool of a command: the one in the run's options, otherwise the tool of the same name. */
function findToolName(commandName: string, { toolNames = {} }: Pick<FastWorkflowOptions, 'toolNames'>): string {
  return (Object.hasOwn(toolNames, commandName) ? toolNames[commandName] : undefined) ?? commandName;
}

/** The part of a step that an agent may know. */
interface SafeObservation {
  readonly observation: string;
  readonly info: {
    /** Source of the observation: `user`, or the tool's name. */
    readonly source: string;
    readonly done: boolean;
  };
}

/**
 * Formats the observation of a step on one line: the tool's text, or its JSON. Equal steps give equal texts: keys are
 * ordered, numbers keep their spelling (`131` and `131.0`), and it contains no time.
 *
 * If the source is not the called tool, or the episode has ended, the text is
 * `{"done": true, "observation": …, "source": …}`, with `done` and `source` only if they apply.
 *
 * The reference's `info` also has the task with its instruction and ground truth, and at the end the reward. They
 * cannot leak, because only these three fields are read.
 *
 * @param called name of the called tool
 */
export function renderObsForAgent({ observation, info: { source, done } }: SafeObservation, called: string): string {
  const shown = parseStructured(observation) ?? observation;
  const rendered = new Map<string, PyValue>([
    ...(done ? [['done', done] as const] : []),
    ['observation', shown],
    ...(source === called ? [] : [['source', source] as const]),
  ]);
  if (rendered.size > 1) return readableJson(rendered, { sortKeys: true });
  return typeof shown === 'string' && ONE_LINE.test(shown) ? shown : readableJson(shown, { sortKeys: true });
}

/** Matches a text of one line, because further lines of a tool's text could look like lines of the prompt. */
const ONE_LINE = /^(?=.*\S)[^\p{Cc}\u2028\u2029]+$/u;

/**
 * Parses an observation that is JSON. @returns undefined for any other text: `20.0` may be a tool's text, which must
 * not change
 */
function parseStructured(observation: string): PyValue | undefined {
  if (!/^\s*[[{]/.test(observation)) return undefined;
  try {
    const value = parseJson(observation);
    return isDict(value) || isList(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Deepest nesting of arguments. Python reads no deeper JSON, so environments would not either. */
const MAX_DEPTH = 900;

/**
 * Converts a plan's parameters to an action's arguments. Parameters may be Python values, plain objects, values parsed
 * by a schema library, maps, sets and dates. The rules are those of `JSON.stringify`: whole numbers become ints and
 * others floats; undefined is dropped from objects and null in lists. Values that `JSON.stringify` would silently drop
 * or change (functions, symbols, NaN, cycles) are refused, because an argument that differs from the plan changes a
 * score.
 *
 * @throws AgentError `invalid_action`, with the path: `items[2].price is NaN`
 */
export function serialiseParameters(parameters: unknown): PyDict {
  const value = serialise(parameters, { path: 'parameters', key: '', depth: 0, above: new Set() });
  if (value instanceof Map) return value as PyDict;
  throw invalidActionError('parameters', 'must be an object with a field for each parameter');
}

interface ValuePlace {
  /** Path of the value: `items[2].price`. */
  readonly path: string;
  /** The last part of the path, passed to `toJSON`. */
  readonly key: string;
  readonly depth: number;
  /** The objects that contain the value. */
  readonly above: ReadonlySet<object>;
}

/** @returns undefined for undefined, which only the containing object or list can drop */
function serialise(value: unknown, place: ValuePlace): PyValue | undefined {
  switch (typeof value) {
    case 'undefined':
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return serialiseInt(value, place);
    case 'number':
      return serialiseNumber(value, place);
    case 'function':
    case 'symbol':
      throw invalidActionError(place.path, `is a ${typeof value}`);
    case 'object':
      return value === null ? null : serialiseObject(value, place);
  }
}

function serialiseInt(value: bigint, { path }: ValuePlace): bigint {
  if (value.toString().replace('-', '').length <= MAX_INT_DIGITS) return value;
  throw invalidActionError(path, `has more than ${MAX_INT_DIGITS} digits`);
}

function serialiseNumber(value: number, { path }: ValuePlace): PyValue {
  if (!Number.isFinite(value)) throw invalidActionError(path, `is ${value}`);
  const text = JSON.stringify(value);
  // 1e21 has an exponent in JSON, so Python reads a float.
  return /^-?\d+$/.test(text) ? BigInt(text) : new PyFloat(value);
}

function serialiseObject(value: object, place: ValuePlace): PyValue | undefined {
  const { path, depth, above } = place;
  if (value instanceof PyFloat) {
    if (Number.isFinite(value.value)) return value;
    throw invalidActionError(path, `is ${value.value}`);
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw invalidActionError(path, 'is an invalid date');
    return value.toISOString();
  }
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return serialise(value.valueOf(), place);
  }
  if (above.has(value)) throw invalidActionError(path, 'contains itself');
  if (depth >= MAX_DEPTH) throw invalidActionError(path, `is nested deeper than ${MAX_DEPTH} levels`);
  const inside: ValuePlace = { ...place, depth: depth + 1, above: new Set(above).add(value) };
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const plain = toJson(value as HasToJson, place);
    if (plain !== value) return serialise(plain, inside);
  }
  if (Array.isArray(value) || value instanceof Set) return serialiseList(Array.from<unknown>(value), inside);
  if (value instanceof Promise) throw invalidActionError(path, 'is a promise that nobody waited for');
  return serialiseFields(value instanceof Map ? value : Object.entries(value), inside);
}

interface HasToJson {
  toJSON(key: string): unknown;
}

function toJson(value: HasToJson, { path, key }: ValuePlace): unknown {
  try {
    return value.toJSON(key);
  } catch (error) {
    throw invalidActionError(
      path,
      `cannot be written as JSON (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

function serialiseList(items: readonly unknown[], place: ValuePlace): PyValue {
  return items.map((item, i) => serialise(item, { ...place, path: `${place.path}[${i}]`, key: String(i) }) ?? null);
}

function serialiseFields(entries: Iterable<readonly [unknown, unknown]>, place: ValuePlace): PyDict {
  const dict = new Map<string, PyValue>();
  for (const [key, item] of entries) {
    if (typeof key !== 'string') throw invalidActionError(place.path, `has a key that is a ${typeof key}, not a text`);
    const value = serialise(item, { ...place, path: fieldPath(place.path, key), key });
    if (value !== undefined) dict.set(key, value);
  }
  return dict;
}

function fieldPath(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function invalidActionError(path: string, problem: string): AgentError {
  return new AgentError('invalid_action', `the planned ${path} cannot become an argument: it ${problem}`);
}
