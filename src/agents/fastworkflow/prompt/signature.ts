/** What a prompt is: the fields that it is given and must answer, and its objective. */

import type { CallRole } from '../../port.ts';

export interface InputField {
  readonly name: string;
  readonly description: string;
}

interface OutputFieldBase {
  readonly name: string;
  readonly description: string;
  /** A reply without it can still be used; its value is then the empty text. @default false */
  readonly optional?: boolean;
}

/** `choice` must be one of a closed set, `object` is a JSON object, `flag` is `true` or `false`. */
export type OutputField =
  | (OutputFieldBase & { readonly kind: 'text' | 'object' | 'flag' })
  | (OutputFieldBase & { readonly kind: 'choice'; readonly choices: readonly string[] });

export type SignatureName = 'plan' | 'replan' | 'react' | 'extract' | 'summary' | 'clarify' | 'rank';

/**
 * Prompts of one kind start with the same system message and are one conversation: what they share is sent, and paid
 * for, once. `react` and `extract` share all but the reminder.
 */
export type PromptKind = 'plan' | 'replan' | 'agent' | 'summary' | 'clarify' | 'rank';

export interface Signature {
  readonly name: SignatureName;
  readonly kind: PromptKind;
  readonly role: CallRole;
  readonly inputs: readonly InputField[];
  readonly outputs: readonly OutputField[];
  readonly objective: string;
  /** The prompt starts with the command catalogue and the policy. */
  readonly grounded: boolean;
}

/** Comes first in an answer, so that the other fields can follow from it. */
export const reasoning: OutputField = {
  name: 'reasoning',
  kind: 'text',
  description: 'step by step, how the other fields follow from the input',
  optional: true,
};
