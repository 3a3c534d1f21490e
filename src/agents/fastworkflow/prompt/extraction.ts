/**
 * The prompt that reads a command's parameters from words, derived from the command's definition.
 *
 * All but the statement is constant for a command, so the prompt refers to it, and a worker renders it.
 */

import type { Message, PromptPart, StrategyTextContext } from '../../port.ts';
import { catalogueFor, catalogues } from '../catalogue/index.ts';
import type { CommandDefinition, FieldDefinition, FieldType } from '../catalogue/types.ts';
import { marker, NOT_FOUND } from './marker.ts';

/** `again`: after an answer that could not be read. */
export type ExtractionAttempt = 'first' | 'again';

export function extractionMessages(commandName: string, statement: string, attempt: ExtractionAttempt): Message[] {
  return [
    { role: 'system', content: [textRef(commandName)] },
    { role: 'user', content: [`${marker('statement')}\n${statement}\n\n`, textRef(`${commandName}/${attempt}`)] },
  ];
}

/** The texts that the messages refer to, for every command of every domain. */
export function extractionTexts(): Record<string, (context: StrategyTextContext) => string> {
  const texts: Record<string, (context: StrategyTextContext) => string> = {};
  const names = Object.values(catalogues).flatMap(({ commands }) => commands.map((command) => command.name));
  for (const name of names) {
    const commandOf = (context: StrategyTextContext) => commandNamed(context, name);
    texts[textKey(name)] = (context) => formText(commandOf(context));
    texts[textKey(`${name}/first`)] = (context) => reminder(commandOf(context));
    texts[textKey(`${name}/again`)] = (context) =>
      `Your last answer could not be read as a JSON object. ${reminder(commandOf(context))}`;
  }
  return texts;
}

/** @throws Error when the domain has no such command, which no prompt of that domain refers to */
function commandNamed({ env, options }: StrategyTextContext, name: string): CommandDefinition {
  const command = catalogueFor(env, options).find(name);
  if (command === undefined) throw new Error(`the domain ${env} has no command ${name}`);
  return command;
}

function formText(command: CommandDefinition): string {
  const outputs = [
    '1. `reasoning` (text): step by step, which words of the statement give which value',
    ...command.fields.map((field, i) => `${i + 2}. \`${field.name}\` ${fieldText(field)}`),
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
      'Find the values of its parameters in the statement and write them as the statement has them, brought into the',
      `form that a parameter asks for. A value that the statement does not give is ${NOT_FOUND}, whether the parameter`,
      'is required or optional, and also where it has a default. Never guess, and never use an example: examples are',
      'invented to show the form.',
    ].join('\n'),
  ].join('\n\n');
}

function fieldText(field: FieldDefinition): string {
  const traits = [TYPE_NAMES[field.type], field.required ? 'required' : 'optional'];
  const notes = [field.description];
  if (field.allowed !== undefined) notes.push(`one of: ${field.allowed.map((value) => `'${value}'`).join(', ')}`);
  if (field.form !== undefined) notes.push(`form: ${field.form}`);
  if (field.examples !== undefined) notes.push(`invented examples: ${field.examples.join(', ')}`);
  if (field.default !== undefined) notes.push(`default when it is not given: ${JSON.stringify(field.default)}`);
  return `(${traits.join(', ')}): ${notes.join('; ')}`;
}

/** One paragraph that names the output fields, and nothing else, in back-ticks. */
function reminder({ fields }: CommandDefinition): string {
  const keys = ['`reasoning` (text)', ...fields.map((field) => `\`${field.name}\` (${TYPE_NAMES[field.type]})`)];
  return (
    'Answer with one JSON object and nothing else, without the markers. ' +
    `Its keys, in this order: ${keys.join(', ')}. A value that the statement does not give is ${NOT_FOUND}.`
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
