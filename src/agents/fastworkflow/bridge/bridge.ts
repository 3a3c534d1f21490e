/**
 * The one place where FastWorkflow meets the benchmark: a planned command becomes an environment action, its
 * observation becomes the tool's result, and what was said becomes `respond`.
 *
 * The bridge also keeps the trajectory that the results file shows, in a form that replays: commands as tool calls,
 * words as plain assistant messages.
 */

import { JsonError, dumpJson, isDict, isList, parseJson, type PyValue } from '../../../benchmark/python/index.ts';
import { RESPOND, type Action, type StepResult } from '../../../benchmark/index.ts';
import type { AgentSession, Message, SolveEnd } from '../../port.ts';
import { formatAction, transcribeStep } from '../../live-transcript.ts';
import type { Catalogue } from '../catalogue/definitions.ts';
import { hasCompat } from '../compat.ts';
import type { FastWorkflowOptions } from '../options.ts';
import { serialiseParameters } from './serialise.ts';
import { readableJson } from '../prompts/readable-json.ts';

/** An environment action's outcome: something to go on with, or the end of the episode. */
export type Acted =
  { readonly kind: 'observed'; readonly text: string } | { readonly kind: 'ended'; readonly end: SolveEnd };

const TRAJECTORY_HEADING = 'FastWorkflow agent: commands are shown as tool calls, planning and reasoning are left out.';

export class Bridge {
  readonly #session: AgentSession;
  readonly #catalogue: Catalogue;
  readonly #options: FastWorkflowOptions;
  #calls: number;

  constructor(session: AgentSession, catalogue: Catalogue, options: FastWorkflowOptions) {
    this.#session = session;
    this.#catalogue = catalogue;
    this.#options = options;
    const { trajectory, firstMessage } = session;
    // There is something where another strategy has begun the conversation.
    if (trajectory.length === 0) trajectory.push({ role: 'user', content: firstMessage });
    this.#calls = trajectory.filter((message) => message.role === 'tool').length;
    trajectory.unshift({ role: 'system', content: TRAJECTORY_HEADING });
  }

  /**
   * Carries a command out in the environment.
   * @throws AgentError `invalid_action` for parameters that cannot be arguments
   */
  async execute(planned: PlannedCommand): Promise<Acted> {
    const action = toAction(planned, this.#options);
    const { asked, answered } = this.#toolCall(action);
    const acted = await this.#take(action, () => this.#enter(action), asked, answered);
    return acted.kind === 'ended' ? acted : { kind: 'observed', text: this.#render(planned, action, acted.result) };
  }

  /**
   * Enters a command as decided: the trajectory has it as a tool call, the environment never hears of it.
   * @returns what the agent reads: that nothing was executed, and what was decided
   */
  decide(planned: PlannedCommand): { readonly kind: 'observed'; readonly text: string } {
    const action = toAction(planned, this.#options);
    const { asked, answered } = this.#toolCall(action);
    const observation = `Nothing was executed, because only decisions are wanted. Decided: ${formatAction(action)}`;
    this.#session.trajectory.push(asked, answered(observation));
    this.#session.tell({ what: 'note', text: observation });
    const info = { source: action.name, done: false };
    return { kind: 'observed', text: renderObsForAgent({ observation, info }) };
  }

  /** Says something to the customer; what is observed is the answer. */
  async say(content: string): Promise<Acted> {
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
    const result = await (hasCompat(this.#options, 'fastworkflow-stale-data')
      ? this.#session.step(action, { observe: 'initial' })
      : this.#session.step(action));
    if (isMissing(action, result)) this.#session.count('missing_tools');
    return result;
  }

  /** Nothing that follows an episode's last step can change its outcome, so nothing more is paid for. */
  async #take(
    action: Action,
    take: () => Promise<StepResult>,
    asked: Message,
    answered: (observation: string) => Message,
  ): Promise<{ readonly kind: 'observed'; readonly result: StepResult } | Extract<Acted, { kind: 'ended' }>> {
    const session = this.#session;
    if (session.stepsLeft() <= 0) return { kind: 'ended', end: 'max_steps' };
    session.trajectory.push(asked);
    const result = await transcribeStep(session, action, take);
    session.trajectory.push(answered(result.observation));
    if (result.done) return { kind: 'ended', end: 'done' };
    return session.stepsLeft() > 0 ? { kind: 'observed', result } : { kind: 'ended', end: 'max_steps' };
  }

  #render({ commandName }: PlannedCommand, action: Action, result: StepResult): string {
    const observation = isMissing(action, result) ? missingTool(commandName, action.name) : result.observation;
    if (hasCompat(this.#options, 'fastworkflow-labels')) {
      return `${this.#catalogue.find(commandName)?.label ?? ''}${observation}`;
    }
    return renderObsForAgent({ observation, info: { source: result.source, done: result.done } });
  }
}

/** @returns true if the environment answered that it does not have the tool */
function isMissing({ name }: Action, { observation }: StepResult): boolean {
  return observation === `Unknown action ${name}`;
}

/** The agent reads this instead of the environment's curt answer. */
function missingTool(commandName: string, toolName: string): string {
  return (
    `The command ${commandName} could not be carried out: it stands for the tool ${toolName}, which this environment ` +
    'does not have. Nothing was changed; use another command.'
  );
}

/** The two keys of a plan, which become an environment action: its tool's name and its arguments. */
export interface PlannedCommand {
  readonly commandName: string;
  /** Whatever the planner made of them, see {@link serialiseParameters}. */
  readonly cmdParameters: unknown;
}

/** @throws AgentError `invalid_action` for parameters that cannot be arguments */
function toAction({ commandName, cmdParameters }: PlannedCommand, options: FastWorkflowOptions): Action {
  return { name: findToolName(commandName, options), kwargs: serialiseParameters(cmdParameters) };
}

/** The tool that carries a command out: the one that the run's options name, else the one of the same name. */
function findToolName(commandName: string, { toolNames = {} }: FastWorkflowOptions): string {
  return (Object.hasOwn(toolNames, commandName) ? toolNames[commandName] : undefined) ?? commandName;
}

/** The part of a step that an agent may know. */
interface SafeObservation {
  readonly observation: string;
  readonly info: {
    /** `user`, or the tool's name. */
    readonly source: string;
    readonly done: boolean;
  };
}

/**
 * The observation of a step as one line of JSON: `{"done": …, "observation": …, "source": …}`. An observation that is a
 * JSON object or list is embedded as such. Equal steps give equal texts: keys are ordered, numbers keep their spelling
 * (`131` and `131.0`), and it contains no time.
 *
 * The reference's `info` also holds the task with its instruction and ground truth, and at the end the reward. None of it
 * can get here: only these three fields are ever read.
 */
export function renderObsForAgent({ observation, info: { source, done } }: SafeObservation): string {
  const rendered = new Map<string, PyValue>([
    ['done', done],
    ['observation', structured(observation) ?? observation],
    ['source', source],
  ]);
  return readableJson(rendered, { sortKeys: true });
}

/** @returns undefined for any other text: `20.0` is what a tool said, not a number of ours */
function structured(observation: string): PyValue | undefined {
  if (!/^\s*[[{]/.test(observation)) return undefined;
  try {
    const value = parseJson(observation);
    return isDict(value) || isList(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
