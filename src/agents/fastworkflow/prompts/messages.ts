/**
 * Prompts in DSPy's chat form: one system message that explains the fields, one user message that fills them in.
 *
 * Constant texts are referenced, not included ({@link StrategyDefinition.texts}), so that they never enter a workflow's
 * history. In the user message constant parts come first and the reminder last, so that a prompt that grows by one step
 * shares all its leading parts with the previous one.
 */

import type { Message, PromptPart, StrategyOptions, StrategyTextContext } from '../../port.ts';
import { catalogueText, type CatalogueSource } from '../catalogue/index.ts';
import {
  marker,
  signaturesFor,
  type InputField,
  type OutputField,
  type Signature,
  type SignatureName,
} from './signatures.ts';
import type { CommandDefinition, FieldDefinition, FieldType } from '../catalogue/definitions.ts';

/** The catalogue under its title. It is a reference, so that a tool that shows it adds no text to the history. */
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
    system.push(COMMANDS_TEXT, '\n\n');
    if (!options.omitPolicy) system.push(strategyText('policy'), '\n\n');
  }
  system.push(strategyText(`${signature.name}/form`));

  return [
    { role: 'system', content: system },
    { role: 'user', content: [...inputParts(inputs), strategyText(`${signature.name}/${form}-reminder`)] },
  ];
}

/** Joins neighboring strings to one part. It does not join the parts of a list, because later prompts share them. */
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
      const last = parts.at(-1);
      if (typeof last === 'string' && last.endsWith('\n\n')) continue;
    }
    text += '\n\n';
  }
  return text === '' ? parts : [...parts, text];
}

/**
 * The texts that prompts refer to: the commands, the policy, each signature's form and two reminders, and each
 * command's request for parameters.
 */
export function promptTexts(source: CatalogueSource): Record<string, (context: StrategyTextContext) => string> {
  const texts: Record<string, (context: StrategyTextContext) => string> = {
    commands: ({ env }) => `Available execute_workflow_query tool commands:\n\n${catalogueText(source.find(env))}`,
    policy: ({ policy }) => policyText(policy),
    ...extractionTexts(source),
  };
  for (const name of NAMES) {
    texts[`${name}/form`] = ({ options }) => signatureForm(signaturesFor(options)[name]);
    texts[`${name}/chat-reminder`] = ({ options }) => chatReminder(signaturesFor(options)[name]);
    texts[`${name}/schema`] = ({ options }) => JSON.stringify(signatureSchema(signaturesFor(options)[name]));
    texts[`${name}/json-reminder`] = ({ options }) => jsonReminder(signaturesFor(options)[name]);
  }
  return texts;
}

const NAMES: readonly SignatureName[] = ['plan', 'replan', 'react', 'extract', 'summary', 'clarify', 'rank'];

/** Returns the JSON schema of a signature's reply; none for an object with unknown keys. */
export function nameSchema({ name, outputs }: Signature): { readonly schema?: string } {
  const isOpen = outputs.some((field) => field.kind === 'object' && field.argumentOf === undefined);
  return isOpen ? {} : { schema: `${name}/schema` };
}

type Schema = Readonly<Record<string, unknown>>;

function signatureSchema({ outputs }: Signature): Schema {
  return objectSchema(outputs.map((field) => [field.name, fieldSchema(field)]));
}

function fieldSchema(field: OutputField): Schema {
  switch (field.kind) {
    case 'text':
      return { type: 'string' };
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { type: 'string', enum: field.choices };
    case 'object': {
      const keys = new Set(Object.values(field.argumentOf ?? {}));
      return {
        anyOf: Array.from(keys, (key) => objectSchema(key === null ? [] : [[key, { type: 'string' }]])),
      };
    }
  }
}

/** Returns the form for providers that require a strict schema. */
function objectSchema(properties: readonly (readonly [name: string, schema: Schema])[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

/** Adapts the policy, which is written for agents that call tools and speak to a user. */
function policyText(policy: string): string {
  return [
    'You must follow this policy:',
    policy.trim(),
    'Where the policy speaks of a tool or a tool call, it means a command of the list above. The customer is the user.',
  ].join('\n\n');
}

function signatureForm({ inputs, outputs, objective }: Signature): string {
  return [
    `You are given these fields:\n${inputs.map(inputLine).join('\n')}`,
    `You answer with these fields:\n${outputs.map(outputLine).join('\n')}`,
    'The exchange has this layout, with the values in place of the braces:',
    ...[...inputs, ...outputs].map((field) => `${marker(field.name)}\n{${field.name}}`),
    END_MARKER,
    `Within this layout, this is your task:\n${objective}`,
  ].join('\n\n');
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

/** Attempt at an extraction. `again`: after an unreadable answer. */
type ExtractionAttempt = 'first' | 'again';

/**
 * Returns the prompt that reads a command's parameters from words, derived from the command's definition. Everything
 * but the statement is constant for a command, so the prompt refers to a text that a worker renders.
 */
export function extractionMessages(commandName: string, statement: string, attempt: ExtractionAttempt): Message[] {
  return [
    { role: 'system', content: [textRef(commandName)] },
    { role: 'user', content: [`${marker('statement')}\n${statement}\n\n`, textRef(`${commandName}/${attempt}`)] },
  ];
}

/** The texts that the messages refer to, for every command of every domain. */
export function extractionTexts(source: CatalogueSource): Record<string, (context: StrategyTextContext) => string> {
  const texts: Record<string, (context: StrategyTextContext) => string> = {};
  for (const name of source.commandNames) {
    const findCommand = (context: StrategyTextContext) => commandNamed(source, context, name);
    texts[textKey(name)] = (context) => extractionForm(findCommand(context));
    texts[extractionSchemaKey(name)] = (context) => JSON.stringify(extractionSchema(findCommand(context)));
    texts[textKey(`${name}/first`)] = (context) => extractionReminder(findCommand(context));
    texts[textKey(`${name}/again`)] = (context) =>
      `Your last answer could not be read as a JSON object. ${extractionReminder(findCommand(context))}`;
  }
  return texts;
}

/** Returns the key of the text that is the schema of an extraction's reply. */
export function extractionSchemaKey(commandName: string): string {
  return textKey(`${commandName}/schema`);
}

/**
 * Returns the schema of an extraction's reply. Every value may be {@link NOT_FOUND}, so every field is a text, or a
 * list of texts.
 */
function extractionSchema({ fields }: CommandDefinition): Schema {
  const text = { type: 'string' };
  const list = { anyOf: [{ type: 'array', items: text }, text] };
  return objectSchema([
    ['reasoning', text],
    ...fields.map(({ name, type }) => [name, type === 'list' ? list : text] as const),
  ]);
}

/** @throws Error for a command that the domain lacks; no prompt refers to one */
function commandNamed(source: CatalogueSource, { env }: StrategyTextContext, name: string): CommandDefinition {
  const command = source.find(env).find(name);
  if (command === undefined) throw new Error(`the domain ${env} has no command ${name}`);
  return command;
}

function extractionForm(command: CommandDefinition): string {
  const outputs = [
    '1. `reasoning` (text): step by step, which words of the statement give which value',
    ...command.fields.map((field, i) => `${i + 2}. \`${field.name}\` ${extractionField(field)}`),
  ];
  const keys = ['reasoning', ...command.fields.map((field) => field.name)];
  return [
    `You are given this field:\n1. \`statement\` (text): what was said about the parameters of the command ${command.name}`,
    `You answer with these fields:\n${outputs.join('\n')}`,
    'The exchange has this layout, with the values in place of the braces:',
    `${marker('statement')}\n{statement}`,
    `{${keys.map((key) => `"${key}": {${key}}`).join(', ')}}`,
    [
      `Within this layout, this is your task:`,
      `The command ${command.name} is about to run. ${command.description}`,
      'Find the values of its parameters in the statement. Write each as the statement has it, in the form that the',
      `parameter asks for. Where the statement gives no value, write ${NOT_FOUND}: for a required parameter, for an`,
      'optional one, and also where there is a default. Never guess, and never use an example value: examples are',
      'invented to show the form.',
    ].join('\n'),
  ].join('\n\n');
}

function extractionField(field: FieldDefinition): string {
  const traits = [TYPE_NAMES[field.type], field.required ? 'required' : 'optional'];
  const notes = [field.description];
  if (field.allowed !== undefined) notes.push(`one of: ${field.allowed.map((value) => `'${value}'`).join(', ')}`);
  if (field.form !== undefined) notes.push(`form: ${field.form}`);
  if (field.examples !== undefined) notes.push(`invented examples: ${field.examples.join(', ')}`);
  if (field.default !== undefined) notes.push(`default when it is not given: ${JSON.stringify(field.default)}`);
  return `(${traits.join(', ')}): ${notes.join('; ')}`;
}

/** Writes one paragraph, in which only the output fields are in back-ticks. */
function extractionReminder({ fields }: CommandDefinition): string {
  const keys = ['`reasoning` (text)', ...fields.map((field) => `\`${field.name}\` (${TYPE_NAMES[field.type]})`)];
  return (
    'Answer with one JSON object and nothing else, without the markers. ' +
    `Its keys, in this order: ${keys.join(', ')}. Write ${NOT_FOUND} for a value that the statement does not give.`
  );
}

const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  list: 'JSON array of texts',
  json: 'JSON value',
};

function textRef(name: string): PromptPart {
  return { ref: 'strategy-text', key: textKey(name) };
}

function textKey(name: string): string {
  return `extraction/${name}`;
}

/** Value that the model gives if it cannot find a value. */
export const NOT_FOUND = 'NOT_FOUND';
