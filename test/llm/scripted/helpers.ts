/** Plays whole episodes against the scripted model, with the project's own strategies or by hand. */

import type {
  AgentSession,
  AssistantMessage,
  Completion,
  CompletionRequest,
  Message,
  SolveEnd,
  StrategyDefinition,
  StrategyTextContext,
} from '../../../src/agents/port.ts';
import { RESPOND, STOP_MARKER, type Action, type Task } from '../../../src/bench/types.ts';
import { PyFloat, type PyDict, type PyValue } from '../../../src/bench/python/value.ts';
import { expandMessages, toolSchemas } from '../../../src/llm/prompts.ts';
import { readReplyFields } from '../../../src/llm/reply-fields.ts';
import { readConversation } from '../../../src/llm/scripted/conversation.ts';
import { packKeyOf, ScriptedPlayer } from '../../../src/llm/scripted/index.ts';
import { judgeTask } from '../../../src/llm/scripted/judge.ts';
import type { ScriptedReply } from '../../../src/llm/scripted/reply.ts';
import { chatRequestSchema } from '../../../src/llm/scripted/request.schema.ts';
import type { Pack } from '../../../src/packs/types.ts';
import { llmUser } from '../../../src/users/llm.ts';

export const OPTIONS = { omitPolicy: false, useReasoning: true };

/** One call, as a request body without its model. */
export type Ask = (
  body: Record<string, unknown>,
) => Promise<{ role: string; message: Message & { role: 'assistant' } }>;

/** Asks a player in this process. */
export function askPlayer(player: ScriptedPlayer, model = 'oracle'): Ask {
  return (body) => Promise.resolve(toAnswer(play(player, { model, ...body })));
}

/** A reply to a request body, as the server would give it. */
export function play(player: ScriptedPlayer, body: Record<string, unknown>): ScriptedReply {
  const request = chatRequestSchema.parse(JSON.parse(JSON.stringify(body)));
  return player.play(request.model, readConversation(request));
}

function toAnswer({ role, content, position, toolCall }: ScriptedReply): Awaited<ReturnType<Ask>> {
  const calls =
    toolCall === undefined
      ? {}
      : { tool_calls: [{ id: `call_${position}`, type: 'function' as const, function: toolCall }] };
  return { role, message: { role: 'assistant', content, ...calls } };
}

export interface Played {
  readonly calls: number;
  readonly roles: Readonly<Record<string, number>>;
  /** All environment actions, respond included. */
  readonly actions: readonly Action[];
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
  readonly observe?: (action: Action) => string;
}

/** Runs an episode of a strategy of the project, with its simulated user, in this process. */
export async function playEpisode({ pack, split, taskId, seed, strategy, ask, observe }: EpisodePlan): Promise<Played> {
  const actions: Action[] = [];
  const roles: Record<string, number> = {};
  let calls = 0;
  const complete = async (request: CompletionRequest): Promise<Completion> => {
    const context = { pack, split, taskId, strategy: asRetail(strategy), options: OPTIONS };
    const { role, message } = await ask({
      messages: expandMessages(request.messages, context),
      ...(request.tools === true ? { tools: toolSchemas(pack) } : {}),
      ...(request.format === 'json' ? { response_format: { type: 'json_object' } } : {}),
      seed,
    });
    calls += 1;
    roles[role] = (roles[role] ?? 0) + 1;
    const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 };
    return {
      message,
      finishReason: 'stop',
      usage,
      costUsd: null,
      latencyMs: 0,
      ...checkedFields(strategy, request, message),
    };
  };
  const user = llmUser({ complete });
  const session: AgentSession = {
    env: 'retail',
    count: () => undefined,
    tell: () => undefined,
    firstMessage: await user.open(),
    trajectory: [],
    stepsLeft: () => 30 - actions.length,
    complete,
    async step(action) {
      actions.push(action);
      if (action.name !== RESPOND) {
        const done = pack.terminateTools.includes(action.name);
        return { observation: observe?.(action) ?? 'ok', source: action.name, done };
      }
      const observation = await user.reply(wordsOf(action));
      return { observation, source: 'user', done: observation.includes(STOP_MARKER) };
    },
  };
  const end = await strategy.solve(session, OPTIONS).catch(() => 'error' as const);
  return { calls, roles, actions, end, trajectory: session.trajectory };
}

/** What `complete` makes of a reply whose fields are wanted. */
export function checkedFields(
  strategy: StrategyDefinition,
  { replyFields }: CompletionRequest,
  { content }: AssistantMessage,
): Pick<Completion, 'fields'> {
  if (replyFields === undefined) return {};
  return { fields: readReplyFields(content, strategy.replyFields?.(replyFields, 'retail') ?? []) };
}

function wordsOf({ kwargs }: Action): string | null {
  const content = kwargs.get('content');
  return typeof content === 'string' ? content : null;
}

/** Whether an episode would be rewarded, by the scripted model's own judge. */
export function isRewarded({ pack, split, taskId }: EpisodePlan, { end, actions }: Played): boolean {
  return end === 'done' && judgeTask(indexed(pack, split, taskId), actions);
}

export function indexed(pack: Pack, split: string, taskId: number) {
  const task = pack.splits[split]?.[taskId];
  if (task === undefined) throw new Error(`no task ${split} ${taskId}`);
  return { pack, packKey: packKeyOf(pack), split, taskId, task };
}

export function newPlayer(...packs: Pack[]): ScriptedPlayer {
  return new ScriptedPlayer(packs, judgeTask);
}

export function userSystem(pack: Pack, instruction: string, strategy = 'llm'): string {
  return (pack.userPrompts.strategies[strategy]?.systemPrompt ?? '').replace('{instruction}', instruction);
}

/** A Python dict from plain values; numbers become floats. */
export function dict(values: Readonly<Record<string, string | number | readonly string[]>>): PyDict {
  const entries = Object.entries(values).map(([key, value]): [string, PyValue] => [
    key,
    typeof value === 'number' ? new PyFloat(value) : value,
  ]);
  return new Map(entries);
}

function tool(
  name: string,
  required: readonly string[],
  choices: Readonly<Record<string, readonly string[]>> = {},
): PyDict {
  const properties = new Map(
    required.map((key) => [key, dict(choices[key] ? { enum: choices[key] } : { type: 'string' })]),
  );
  const parameters = new Map<string, PyValue>([
    ['required', required],
    ['properties', properties],
  ]);
  const described = new Map<string, PyValue>([
    ['name', name],
    ['parameters', parameters],
  ]);
  return new Map<string, PyValue>([
    ['type', 'function'],
    ['function', described],
  ]);
}

const RULES = '\n\nRules:\n- Emit ###STOP### when done.';
const template = (extra: string) => ({
  systemPrompt: `You are a customer.\n\nYour story: {instruction}${RULES}${extra}`,
  systemPromptWithoutInstruction: `You are a customer.${RULES}${extra}`,
});

/** A little shop of this test's own. */
export function tinyPack(tasks: readonly Task[]): Pack {
  return {
    ref: { name: 'tiny', digest: '3fa91c'.padEnd(64, '0'), path: '/nowhere' },
    domain: 'shop',
    source: 'test',
    licence: 'MIT',
    tables: new Map(),
    policy: 'Be kind.',
    rules: [],
    tools: [
      tool('get_order_details', ['order_id']),
      tool('cancel_pending_order', ['order_id', 'reason'], { reason: ['no longer needed', 'ordered by mistake'] }),
      tool('return_delivered_order_items', ['order_id', 'item_ids', 'payment_method_id']),
      tool('pay', ['order_id', 'amount']),
      tool('transfer_to_human_agents', ['summary']),
    ],
    terminateTools: ['transfer_to_human_agents'],
    userPrompts: {
      greeting: 'Hi! How can I help you today?',
      strategies: { llm: template(''), react: template('\n\nFormat:\n\nThought:\n<..>\n\nUser Response:\n<..>') },
    },
    agentPrompts: {},
    splits: { test: tasks },
  };
}

export function task(instruction: string, actions: readonly Action[], outputs: readonly string[] = []): Task {
  return { userId: 'u_1', instruction, actions, outputs };
}

export const LOOK_UP: Action = { name: 'get_order_details', kwargs: dict({ order_id: '#W1' }) };
export const CANCEL: Action = {
  name: 'cancel_pending_order',
  kwargs: dict({ order_id: '#W1', reason: 'no longer needed' }),
};
export const RETURN: Action = {
  name: 'return_delivered_order_items',
  kwargs: dict({ order_id: '#W2', item_ids: ['11', '12'], payment_method_id: 'paypal_1' }),
};
export const TRANSFER: Action = { name: 'transfer_to_human_agents', kwargs: dict({ summary: 'needs a person' }) };

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
