/** A scripted model in this process, a made-up shop for it to play in, and what judges an episode. */

import type { StrategyOptions } from '../../src/agents/index.ts';
import type { Action, Task } from '../../src/benchmarks/index.ts';
import { PyFloat, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { SERVED_WIRES } from '../../src/models/index.ts';
import { readConversation, ScriptedResponder } from '../../src/scripted-model/index.ts';
import { judgeTask, type ScriptedReply } from '../../src/scripted-model/testing.ts';
import { formatPackKey, type Pack } from '../../src/benchmarks/testing.ts';
import type { EpisodePlan, Played } from './episodes.ts';

export const OPTIONS: StrategyOptions = { omitPolicy: false, useReasoning: true };

/** A reply to a request body, as the server would give it. */
export function play(responder: ScriptedResponder, body: Record<string, unknown>): ScriptedReply {
  const request = SERVED_WIRES.chat.read(JSON.parse(JSON.stringify(body)));
  return responder.play(request.model, readConversation(request));
}

/** True if an episode would be rewarded, by the scripted model's own judge. */
export function isRewarded({ pack, split, taskId }: EpisodePlan, { end, actions }: Played): boolean {
  return end === 'done' && judgeTask(indexed(pack, split, taskId), actions);
}

export function indexed(pack: Pack, split: string, taskId: number) {
  const task = pack.splits[split]?.[taskId];
  if (task === undefined) throw new Error(`no task ${split} ${taskId}`);
  return { pack, packKey: formatPackKey(pack), split, taskId, task };
}

export function newResponder(...packs: Pack[]): ScriptedResponder {
  return new ScriptedResponder(packs, judgeTask);
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
