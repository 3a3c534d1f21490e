/**
 * Prompts in DSPy's chat form: one system message that explains the fields, one user message that fills them in.
 *
 * Constant texts are referenced, not included ({@link StrategyDefinition.texts}), so that they never travel through
 * a workflow's history. In the user message constant parts come first and the reminder last: a prompt that grows by
 * one step shares all its leading parts with the one before.
 */

import type { Message, PromptPart, StrategyOptions, StrategyTextContext } from '../../port.ts';
import { catalogueFor } from '../catalogue/index.ts';
import { catalogueText } from '../catalogue/text.ts';
import { hasCompat } from '../compat.ts';
import { extractionTexts } from './extraction.ts';
import { marker } from './marker.ts';
import {
  type InputField,
  type OutputField,
  type PromptKind,
  type Signature,
  type SignatureName,
  signaturesFor,
} from './signatures.ts';

/** The catalogue under its title; a tool that shows it costs the history nothing. */
export const COMMANDS_TEXT: PromptPart = { ref: 'strategy-text', key: 'commands' };

export type ReplyForm = 'chat' | 'json';

/** Values of a prompt's input fields, in the signature's order. */
export type PromptInputs = readonly (readonly [field: string, value: PromptPart | readonly PromptPart[]])[];

const END_MARKER = marker('completed');

/** The whole conversation of one prompt. */
export function promptMessages(
  signature: Signature,
  inputs: PromptInputs,
  options: StrategyOptions,
  form: ReplyForm,
): Message[] {
  const system: PromptPart[] = [];
  if (signature.grounded) {
    if (form === 'chat' || !hasCompat(options, 'fastworkflow-bare-json')) system.push(COMMANDS_TEXT, '\n\n');
    if (!options.omitPolicy) system.push('The policy that binds you:\n', { ref: 'policy' }, '\n\n');
  }
  system.push(strategyText(`${signature.kind}/form`));

  return [
    { role: 'system', content: system },
    { role: 'user', content: [...inputParts(inputs), strategyText(`${signature.name}/${form}-reminder`)] },
  ];
}

/** Neighbouring strings become one part, but the parts of a list stay apart: they are what a later prompt shares. */
function inputParts(inputs: PromptInputs): PromptPart[] {
  const parts: PromptPart[] = [];
  let text = '';
  for (const [field, value] of inputs) {
    text += `${marker(field)}\n`;
    if (typeof value === 'string') {
      text += value;
    } else {
      parts.push(text, ...(isParts(value) ? value : [value]));
      text = '';
    }
    text += '\n\n';
  }
  return [...parts, text];
}

/**
 * The texts that prompts refer to: the commands, the form of each kind, per signature its two reminders, and per
 * command what asks for its parameters.
 */
export function promptTexts(): Record<string, (context: StrategyTextContext) => string> {
  const texts: Record<string, (context: StrategyTextContext) => string> = {
    commands: ({ env, options }) =>
      `Available execute_workflow_query tool commands:\n\n${catalogueText(catalogueFor(env, options), options)}`,
    ...extractionTexts(),
  };
  for (const kind of KINDS) {
    texts[`${kind}/form`] = ({ options }) =>
      formText(Object.values(signaturesFor(options)).filter((signature) => signature.kind === kind));
  }
  for (const name of NAMES) {
    texts[`${name}/chat-reminder`] = ({ options }) => chatReminder(signaturesFor(options)[name]);
    texts[`${name}/json-reminder`] = ({ options }) => jsonReminder(signaturesFor(options)[name]);
  }
  return texts;
}

const KINDS: readonly PromptKind[] = ['plan', 'replan', 'agent', 'summary', 'clarify', 'rank'];
const NAMES: readonly SignatureName[] = ['plan', 'replan', 'react', 'extract', 'summary', 'clarify', 'rank'];

/** @param signatures of one kind: the same input fields */
function formText(signatures: readonly Signature[]): string {
  const inputs = signatures[0]?.inputs ?? [];
  const paragraphs = [`You are given these fields:\n${inputs.map(inputLine).join('\n')}`];
  if (signatures.length > 1) {
    paragraphs.push(
      `There are ${signatures.length} kinds of answer to them. The last line of each message tells which one is wanted.`,
    );
  }
  for (const { outputs, objective } of signatures) {
    const wanted = signatures.length > 1 ? `When ${outputs.at(-1)?.name} is wanted, you` : 'You';
    paragraphs.push(
      `${wanted} answer with these fields:\n${outputs.map(outputLine).join('\n')}`,
      'The exchange then has this layout, with the values in place of the braces:',
      ...[...inputs, ...outputs].map((field) => `${marker(field.name)}\n{${field.name}}`),
      END_MARKER,
      `Within this layout, this is your task:\n${objective}`,
    );
  }
  return paragraphs.join('\n\n');
}

function inputLine(field: InputField, i: number): string {
  return `${i + 1}. \`${field.name}\` (text): ${field.description}`;
}

function outputLine(field: OutputField, i: number): string {
  return `${i + 1}. \`${field.name}\` (${typeName(field)}): ${field.description}`;
}

function chatReminder(signature: Signature): string {
  const order = signature.outputs.map((field) => {
    const type = field.kind === 'text' ? '' : ` (${typeName(field)})`;
    return `\`${marker(field.name)}\`${type}`;
  });
  return `Answer with the fields ${order.join(', then ')}, and close with \`${END_MARKER}\`.`;
}

function jsonReminder(signature: Signature): string {
  const keys = signature.outputs.map((field) => `\`${field.name}\` (${typeName(field)})`);
  return `This time answer with one JSON object and nothing else, without the markers. Its keys, in this order: ${keys.join(', ')}.`;
}

function typeName(field: OutputField): string {
  switch (field.kind) {
    case 'text':
      return 'text';
    case 'object':
      return 'JSON object';
    case 'flag':
      return 'true or false';
    case 'choice':
      return `exactly one of: ${field.choices.join('; ')}`;
  }
}

function strategyText(key: string): PromptPart {
  return { ref: 'strategy-text', key };
}

function isParts(value: PromptPart | readonly PromptPart[]): value is readonly PromptPart[] {
  return Array.isArray(value);
}
