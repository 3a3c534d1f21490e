/** Plays whole episodes of the project's own strategies against the scripted model, in this process. */

import {
  separateReasoning,
  type AgentSession,
  type AssistantMessage,
  type Completion,
  type CompletionRequest,
  type Message,
  type SolveEnd,
  type StepSettings,
  type StrategyDefinition,
  type StrategyOptions,
} from '../../src/agents/index.ts';
import type { StrategyTextContext } from '../../src/agents/public.ts';
import { domains, RESPOND, STOP_MARKER, type Action } from '../../src/benchmarks/index.ts';
import { expandMessages, toolSchemas, readReplyFields } from '../../src/models/prompts/index.ts';
import { SERVED_WIRES } from '../../src/models/index.ts';
import { readConversation, type ScriptedResponder } from '../../src/scripted-model/index.ts';
import { countTokens, type ScriptedReply } from '../../src/scripted-model/testing.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { llmUser } from '../../src/agents/users/testing.ts';
import { OPTIONS } from './helpers.ts';

export interface Answer {
  readonly role: string;
  readonly message: AssistantMessage;
  /** Tokens by the scripted model's own estimate. */
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** One call, as a request body without its model. */
export type Ask = (body: Record<string, unknown>) => Promise<Answer>;

/** Asks a responder in this process. */
export function askResponder(responder: ScriptedResponder, model = 'oracle'): Ask {
  return (body) => {
    const conversation = readConversation(SERVED_WIRES.chat.read(JSON.parse(JSON.stringify({ model, ...body }))));
    const reply = responder.play(model, conversation);
    const { role } = reply;
    return Promise.resolve({
      role,
      message: separateReasoning(toMessage(reply)),
      ...countTokens(reply, conversation.promptChars),
    });
  };
}

function toMessage({ content, position, toolCall }: ScriptedReply): AssistantMessage {
  if (toolCall === undefined) return { role: 'assistant', content };
  return {
    role: 'assistant',
    content,
    tool_calls: [{ id: `call_${position}`, type: 'function', function: toolCall }],
  };
}

export interface RoleCalls {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type Counts = Readonly<Record<string, number>>;

export interface Played {
  readonly calls: number;
  readonly roles: Readonly<Record<string, RoleCalls>>;
  /** All environment actions, respond included. */
  readonly actions: readonly Action[];
  /** Commands as FastWorkflow's agent gave them, with what was counted while each was understood. */
  readonly commands: readonly { readonly text: string; readonly counts: Counts }[];
  /** Counts of the strategy. */
  readonly counts: Counts;
  readonly end: SolveEnd | 'error';
  readonly trajectory: readonly Message[];
}

export interface EpisodePlan {
  readonly pack: Pack;
  readonly split: string;
  readonly taskId: number;
  readonly seed: number;
  readonly strategy: StrategyDefinition;
  readonly ask: Ask;
  /** Tools' observations; default `ok`. */
  readonly observe?: (action: Action, settings: StepSettings) => string;
  readonly options?: StrategyOptions;
  /** @default 30 */
  readonly maxSteps?: number;
}

/** Runs an episode with its simulated user. */
export async function playEpisode(plan: EpisodePlan): Promise<Played> {
  const { pack, strategy, observe, options = OPTIONS, maxSteps = 30 } = plan;
  const actions: Action[] = [];
  const roles: Record<string, RoleCalls> = {};
  const commands: { text: string; counts: Record<string, number> }[] = [];
  const counts: Record<string, number> = {};
  const complete = async (request: CompletionRequest): Promise<Completion> => {
    const answer = await plan.ask(toBody(request, plan));
    roles[answer.role] = addCall(roles[answer.role], answer);
    const { message, promptTokens, completionTokens } = answer;
    const usage = { promptTokens, completionTokens, cachedTokens: 0, reasoningTokens: 0 };
    const checked = checkedFields(plan, request, message);
    return { message, finishReason: 'stop', usage, costUsd: null, latencyMs: 0, ...checked };
  };
  const user = llmUser({ complete, person: () => Promise.reject(new Error('no person is asked')) });
  const session: AgentSession = {
    env: domainOf(pack),
    count: (name, by = 1) => {
      for (const known of [counts, commands.at(-1)?.counts ?? {}]) known[name] = (known[name] ?? 0) + by;
    },
    transcribe: ({ what, text }) => {
      if (what === 'command') commands.push({ text, counts: {} });
    },
    firstMessage: await user.open(),
    trajectory: [],
    stepsLeft: () => maxSteps - actions.length,
    complete,
    async step(action, settings = {}) {
      actions.push(action);
      if (action.name !== RESPOND) {
        const done = pack.terminateTools.includes(action.name);
        return { observation: observe?.(action, settings) ?? 'ok', source: action.name, done };
      }
      const observation = await user.reply(wordsOf(action));
      return { observation, source: 'user', done: observation.includes(STOP_MARKER) };
    },
  };
  const end = await strategy.solve(session, options).catch(() => 'error' as const);
  const calls = Object.values(roles).reduce((sum, role) => sum + role.calls, 0);
  return { calls, roles, actions, commands, counts, end, trajectory: session.trajectory };
}

function toBody(request: CompletionRequest, plan: EpisodePlan): Record<string, unknown> {
  const { pack, split, taskId, seed, strategy, options = OPTIONS } = plan;
  const known = domainOf(pack) === pack.domain ? strategy : asRetail(strategy);
  return {
    messages: expandMessages(request.messages, { pack, split, taskId, strategy: known, options, seed: 1 }),
    ...(request.tools === true ? { tools: toolSchemas(pack) } : {}),
    ...(request.format === 'json' ? { response_format: { type: 'json_object' } } : {}),
    seed,
  };
}

function addCall(before: RoleCalls | undefined, { promptTokens, completionTokens }: Answer): RoleCalls {
  return {
    calls: (before?.calls ?? 0) + 1,
    promptTokens: (before?.promptTokens ?? 0) + promptTokens,
    completionTokens: (before?.completionTokens ?? 0) + completionTokens,
  };
}

/** The fields that `complete` reads in a reply. */
function checkedFields(
  { pack, strategy }: EpisodePlan,
  { replyFields }: CompletionRequest,
  { content }: AssistantMessage,
): Pick<Completion, 'fields'> {
  if (replyFields === undefined) return {};
  return { fields: readReplyFields(content, strategy.replyFields?.(replyFields, domainOf(pack)) ?? []) };
}

function wordsOf({ kwargs }: Action): string | null {
  const content = kwargs.get('content');
  return typeof content === 'string' ? content : null;
}

/** A made-up pack is played as a shop. */
function domainOf({ domain }: Pack): string {
  return domains.has(domain) ? domain : 'retail';
}

const retailStrategies = new Map<StrategyDefinition, StrategyDefinition>();

/** The strategy with the texts that it has for retail, whatever the domain of a made-up pack. */
export function asRetail(strategy: StrategyDefinition): StrategyDefinition {
  const known = retailStrategies.get(strategy);
  if (known !== undefined) return known;
  const entries = Object.entries(strategy.texts ?? {}).map(([key, render]) => {
    return [key, (context: StrategyTextContext) => render({ ...context, env: 'retail' })] as const;
  });
  const made = { ...strategy, texts: Object.fromEntries(entries) };
  retailStrategies.set(strategy, made);
  return made;
}

/** Average costs of episodes: the rows of the table that the documentation shows. */
export interface CallTable {
  readonly episodes: number;
  /** Environment steps per episode, `respond` included. */
  readonly steps: number;
  /** Means per episode; tokens by the scripted model's own estimate. */
  readonly roles: Readonly<Record<string, RoleCalls>>;
  readonly all: RoleCalls;
}

export function callTable(episodes: readonly Played[]): CallTable {
  const count = episodes.length;
  const names = [...new Set(episodes.flatMap(({ roles }) => Object.keys(roles)))].sort();
  const means = names.map((name) => [name, mean(episodes.map(({ roles }) => roles[name] ?? NONE))] as const);
  return {
    episodes: count,
    steps: episodes.reduce((sum, { actions }) => sum + actions.length, 0) / count,
    roles: Object.fromEntries(means),
    all: mean(episodes.map(({ roles }) => total(Object.values(roles)))),
  };
}

const NONE: RoleCalls = { calls: 0, promptTokens: 0, completionTokens: 0 };

function mean(calls: readonly RoleCalls[]): RoleCalls {
  const { calls: count, promptTokens, completionTokens } = total(calls);
  const per = (sum: number) => sum / calls.length;
  return { calls: per(count), promptTokens: per(promptTokens), completionTokens: per(completionTokens) };
}

function total(calls: readonly RoleCalls[]): RoleCalls {
  return calls.reduce(
    (sum, role) => ({
      calls: sum.calls + role.calls,
      promptTokens: sum.promptTokens + role.promptTokens,
      completionTokens: sum.completionTokens + role.completionTokens,
    }),
    NONE,
  );
}
