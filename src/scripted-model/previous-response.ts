/**
 * Response ids that contain the facts about the conversation for later requests, so that `previous_response_id` needs
 * no stored state.
 */

import * as z from 'zod';
import { parsedJson } from '../io/index.ts';
import { findCaseCode } from './case-code.ts';
import type { Conversation } from './conversation.ts';
import { RequestProblem } from './problem.ts';
import type { ScriptedReply } from './reply.ts';
import { findActionForm } from './roles/action-text.ts';

const formSchema = z.strictObject({
  before: z.string(),
  after: z.string(),
  keys: z.tuple([z.string(), z.string()]).nullable(),
  say: z.union([z.literal('action'), z.literal('plain'), z.strictObject({ key: z.string() })]),
  hasThought: z.boolean(),
});

const stateSchema = z.strictObject({
  /** Case code of the conversation; null: none yet. */
  code: z.string().nullable(),
  moves: z.int().nonnegative().max(10_000),
  form: formSchema.nullable(),
});

/** Returns a response's name without a prefix. */
export function nameResponse({ role, episode, position }: ScriptedReply, conversation: Conversation): string {
  const form = conversation.form ?? findActionForm(joinPrompt(conversation)) ?? null;
  const state = { code: episode, moves: role === 'agent' ? position + 1 : position, form };
  return Buffer.from(JSON.stringify(state)).toString('base64url');
}

/**
 * Adds the earlier conversation.
 * @param id id of the response that the request continues
 * @throws RequestProblem for an id that is not of the scripted model
 */
export function continueFrom(id: string, conversation: Conversation): Conversation {
  const named = Buffer.from(id.replace(/^resp_/, ''), 'base64url').toString();
  const { data } = stateSchema.safeParse(parsedJson(named));
  if (data === undefined || (data.code !== null && findCaseCode(data.code) === undefined)) {
    throw new RequestProblem(
      400,
      'previous_response_not_found',
      `The scripted model has given no response with the id ${id.slice(0, 100)}.`,
      'previous_response_id',
    );
  }
  const { code, moves, form } = data;
  const made = Array.from({ length: moves }, () => ({ role: 'assistant', text: '', calls: [] }) as const);
  const before = code === null ? [] : [{ role: 'user', text: code, calls: [] } as const, ...made];
  return { ...conversation, turns: [...before, ...conversation.turns], ...(form === null ? {} : { form }) };
}

/** Returns the texts of an agent's prompt before its first move. */
export function joinPrompt({ system, turns }: Pick<Conversation, 'system' | 'turns'>): string {
  const first = turns.findIndex(({ role }) => role === 'assistant');
  return [system, ...turns.slice(0, first === -1 ? undefined : first).map(({ text }) => text)].join('\n');
}
