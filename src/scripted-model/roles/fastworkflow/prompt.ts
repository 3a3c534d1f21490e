/**
 * FastWorkflow's prompts, as they are recognised: by the output fields that the last paragraph asks for.
 */

import { lastText, type Conversation } from '../../conversation.ts';

/** The reply that such a prompt asks for. */
export interface FieldPrompt {
  readonly role: 'agent' | `agent/${string}`;
  /** In the order asked for. */
  readonly fields: readonly string[];
  readonly form: 'chat' | 'json';
  /** The input fields, filled in. */
  readonly text: string;
}

/** Output fields that tell which prompt it is. */
const ROLE_OF_FIELD: Readonly<Record<string, FieldPrompt['role']>> = {
  next_tool_name: 'agent',
  next_steps: 'agent/planner',
  final_answer: 'agent/extract',
  conversation_summary: 'agent/summary',
  clarified_command: 'agent/clarification',
  command_confidences: 'agent/ranker',
};

/** @returns undefined when the request is of another kind */
export function readFieldPrompt(conversation: Conversation): FieldPrompt | undefined {
  const text = lastText(conversation, 'user');
  if (text === undefined || !text.includes('[[ ## ')) return undefined;
  const end = text.trimEnd().lastIndexOf('\n\n');
  const reminder = text.slice(end + 1);
  const marked = [...reminder.matchAll(/\[\[ ## (\w+) ## \]\]/g)].map(([, field]) => field ?? '');
  const quoted = [...reminder.matchAll(/`(\w+)`/g)].map(([, field]) => field ?? '');
  const fields = (marked.length > 0 ? marked : quoted).filter((field) => field !== 'completed');
  if (fields.length === 0) return undefined;
  const known = fields.map((field) => ROLE_OF_FIELD[field]).find((role) => role !== undefined);
  return {
    role: known ?? 'agent/extraction',
    fields,
    form: conversation.wantsJson || marked.length === 0 ? 'json' : 'chat',
    text: end < 0 ? text : text.slice(0, end),
  };
}

/** An input field's text; undefined when the prompt has no such field. */
export function inputField(text: string, name: string): string | undefined {
  const heading = `[[ ## ${name} ## ]]`;
  const at = text.indexOf(heading);
  if (at < 0) return undefined;
  const rest = text.slice(at + heading.length);
  const end = rest.indexOf('\n\n[[ ## ');
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}
