/**
 * The last stage of command understanding: the parameters.
 *
 * Tags are read first. A model reads the words beside the tags only if a required parameter is missing; the agent has
 * to correct a wrong value. By default a command has one try: as in FastWorkflow's agent mode, invalid parameters end
 * it at once.
 */

import type { CommandDefinition, FieldDefinition } from '../catalogue/definitions.ts';
import { checkParameters } from './parameters.ts';
import { readSyntax } from './command-syntax.ts';
import { done, type CmeContext, type CmeNote, type CmeStep, type ParameterStage, type RawParameters } from './types.ts';
import { readList } from '../json.ts';
import { dumpJson, isList, type PyDict, type PyValue } from '../../../benchmarks/python/index.ts';

/** The part of a text that belongs to one command. */
export interface OwnText {
  /** Text that contains the command's parameters. */
  readonly rest: string;
  /** Names of commands written after this one. */
  readonly others: readonly string[];
}

export function readParameters(
  command: CommandDefinition,
  { rest, others }: OwnText,
  context: CmeContext,
  notes: readonly CmeNote[],
): CmeStep {
  const triesLeft = Math.max(1, context.options.parameterTries ?? 1);
  const { found, statement } = readSyntax(command, rest);
  const checked = checkParameters(command, found);
  const isLacking = checked.kind === 'invalid' && checked.missing.length > 0 && checked.invalid.length === 0;
  if (isLacking && statement !== '') {
    return askExtraction({ command, found, others, triesLeft }, statement, notes);
  }
  return conclude({ command, found, others, triesLeft }, notes);
}

/** @param parameters the model's parameters; null if its replies were unreadable */
export function applyExtraction(stage: ParameterStage, parameters: RawParameters | null): CmeStep {
  const merged = new Map([...(parameters ?? []), ...stage.found]);
  return conclude({ ...stage, found: merged }, []);
}

/** @param text the agent's answer to an error text */
export function applyCorrection(stage: ParameterStage, wanted: readonly string[], text: string): CmeStep {
  const corrected = readCorrection(stage.command, wanted, text);
  return conclude({ ...stage, found: new Map([...stage.found, ...corrected]) }, []);
}

/** State of a command's parameters at one of its tries. */
type Try = Pick<ParameterStage, 'command' | 'found' | 'others' | 'triesLeft'>;

function askExtraction(current: Try, statement: string, notes: readonly CmeNote[]): CmeStep {
  const { command, found, others, triesLeft } = current;
  return {
    stage: { stage: 'parameter_extraction', command, found, others, triesLeft, awaits: { kind: 'extraction' } },
    effect: { kind: 'ask_extraction', command, statement, found },
    notes,
  };
}

/** Concludes a try: with a plan, an error that may be corrected, or an error that ends the command. */
function conclude({ command, found, others: written, triesLeft }: Try, notes: readonly CmeNote[]): CmeStep {
  const commandName = command.name;
  const others = written.length === 0 ? {} : { others: written };
  const checked = checkParameters(command, found);
  if (checked.kind === 'valid') {
    const values = exampleValues(command, checked.parameters);
    const counted: readonly CmeNote[] = values === 0 ? notes : [...notes, { kind: 'example_values', values }];
    return done({ kind: 'plan', commandName, cmdParameters: checked.parameters, ...others }, counted);
  }
  const failed: readonly CmeNote[] = [...notes, { kind: 'parameter_error', commandName }];
  if (triesLeft <= 1) return done({ kind: 'error', commandName, message: checked.message, ...others }, failed);
  const problems = [...new Set([...checked.missing, ...checked.invalid])];
  const wanted = problems.length > 0 ? problems : command.fields.map(({ name }) => name);
  const message = `${checked.message}\n${correctionHint(wanted)}`;
  return {
    stage: {
      stage: 'parameter_extraction',
      command,
      found,
      others: written,
      triesLeft: triesLeft - 1,
      awaits: { kind: 'correction', wanted },
    },
    effect: { kind: 'done', plan: { kind: 'error', commandName, message, ...others, correctable: true } },
    notes: failed,
  };
}

function correctionHint(wanted: readonly string[]): string {
  const order = wanted.length === 1 ? '' : ', or as values in this order with commas between them';
  return `It is enough to give ${wanted.join(', ')} now, in tags${order}. To give the command up, say abort.`;
}

/**
 * Reads the agent's answer to an error text: tags, or only values in the requested order.
 *
 * @param wanted names of the requested fields, in that order
 * @returns the values in the text; values beyond the requested fields are ignored
 */
function readCorrection(command: CommandDefinition, wanted: readonly string[], text: string): RawParameters {
  const { found } = readSyntax(command, text);
  if (found.size > 0) return found;
  const values = wanted.length === 1 ? [text.trim()] : splitValues(text);
  const corrected = new Map<string, string | readonly string[]>();
  for (const [i, name] of wanted.entries()) {
    const field = command.fields.find((candidate) => candidate.name === name);
    const value = values[i];
    if (field === undefined || value === undefined || value === '') continue;
    corrected.set(name, field.type === 'list' ? readList(value) : unquote(value));
  }
  return corrected;
}

/** Splits at commas that are not within brackets or double quotes. */
export function splitValues(text: string): readonly string[] {
  const values: string[] = [];
  let start = 0;
  let depth = 0;
  let quoted = false;
  for (const { 0: sign, index } of text.matchAll(/["[({\])},]/g)) {
    if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if ('[({'.includes(sign)) depth++;
    else if ('])}'.includes(sign)) depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      values.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...values, text.slice(start)].map((value) => value.trim());
}

function unquote(text: string): string {
  return text.replace(/^(["'])([\s\S]*)\1$/, '$2');
}

/**
 * Counts the values that equal an example or an allowed value of their field. FastWorkflow 2.24.1 would read such a
 * command with a model.
 */
export function exampleValues({ fields }: CommandDefinition, parameters: PyDict): number {
  return fields.filter((field) => isExample(field, parameters.get(field.name))).length;
}

function isExample({ examples = [], allowed = [], type }: FieldDefinition, value: PyValue | undefined): boolean {
  if (value === undefined) return false;
  const shown = [...examples, ...allowed];
  if (isList(value) && type === 'list') {
    const text = dumpJson(value);
    return shown.some((example) => dumpJson(readList(example)) === text);
  }
  return shown.includes(typeof value === 'string' ? value : dumpJson(value));
}
