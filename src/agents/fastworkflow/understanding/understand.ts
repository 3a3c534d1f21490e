/**
 * Parses a command: runs the state machine, calls a model if the machine requires it (to clarify a command, to rank
 * commands, to read parameters), and updates counters and the live transcript.
 */

import type { TranscriptLine, PromptPart, ReplyFieldDefinition, ReplyFieldValues } from '../../port.ts';
import type { AgentContext, Turn } from '../context.ts';
import { classify } from './default-classifier.ts';
import { rankByWords } from './matching.ts';
import { transition } from './machine.ts';
import {
  START,
  type CmeContext,
  type CmeEffect,
  type CmeEvent,
  type CmeNote,
  type CmeStage,
  type CommandPlan,
  type IntentClassifier,
  type Clarification,
  type RankedCommand,
  type RawParameters,
} from './types.ts';
import type { Catalogue, CommandDefinition, FieldDefinition } from '../catalogue/definitions.ts';
import { commandMetadata, type CatalogueSource } from '../catalogue/index.ts';
import { askWithTrajectory, UnreadableReply, askForText, expectFields } from '../prompts/ask.ts';
import { signaturesFor } from '../prompts/signatures.ts';
import { PyFloat, isDict, type PyValue } from '../../../benchmarks/python/index.ts';
import { COMMANDS_TEXT, NOT_FOUND, extractionMessages, extractionSchemaKey } from '../prompts/messages.ts';
import { wholePattern } from './parameters.ts';
import { readList } from '../json.ts';

/** @param turn the agent's turn, which the clarifier reads @param command the agent's text */
export async function understand(agent: AgentContext, turn: Turn, command: string): Promise<CommandPlan> {
  const { catalogue, memory, options } = agent;
  const classifier = withOriginalNames(
    agent.classifier ?? (options.intentRanker === 'lexical' ? rankByWords : classify),
  );
  const context: CmeContext = { catalogue, learned: memory.learned, options, classifier };
  let event: CmeEvent = { kind: 'command', text: command };
  try {
    for (;;) {
      const step = transition(memory.stage, event, context);
      memory.stage = step.stage;
      for (const note of step.notes) recordNote(agent, note);
      if (step.effect.kind === 'done') return step.effect.plan;
      event = await perform(agent, turn, step.effect);
    }
  } catch (error) {
    // The next command starts without anything of a failed one.
    memory.stage = START;
    throw error;
  }
}

/** Makes a classifier rank a changed catalogue: it ranks the original commands, and the ranking gets the new names. */
function withOriginalNames(classifier: IntentClassifier): IntentClassifier {
  return (utterance, catalogue) => {
    const { changedFrom } = catalogue;
    if (changedFrom === undefined) return classifier(utterance, catalogue);
    const ranking = classifier(utterance, changedFrom.catalogue);
    return ranking.map((ranked) => ({ ...ranked, name: changedFrom.name(ranked.name) }));
  };
}

async function perform(
  agent: AgentContext,
  turn: Turn,
  effect: Exclude<CmeEffect, { readonly kind: 'done' }>,
): Promise<CmeEvent> {
  switch (effect.kind) {
    case 'ask_ranker': {
      const { text, among } = effect;
      return { kind: 'ranked', text, among, ranking: await askRanker(agent, text) };
    }
    case 'ask_clarifier':
      agent.session.count('clarifications');
      return { kind: 'clarified', clarification: await askClarifier(agent, turn, effect) };
    case 'ask_extraction': {
      agent.session.count('extractions');
      const { command, statement, found } = effect;
      return { kind: 'extracted', parameters: await extractParameters(agent, command, statement, found) };
    }
  }
}

function recordNote({ session, memory }: AgentContext, note: CmeNote): void {
  switch (note.kind) {
    case 'recognised': {
      session.count(`intent_${note.tier}`);
      const line = recognitionLine(note);
      if (line !== null) session.transcribe(line);
      return;
    }
    case 'misunderstood':
      return session.count('intent_misunderstood');
    case 'escalated':
      return session.count('escalations');
    case 'learned':
      memory.learned.set(note.utterance, note.commandName);
      return;
    case 'parameter_error':
      return session.count('parameter_errors');
    case 'example_values':
      return session.count('example_values', note.values);
  }
}

/** Returns a line on how a command was recognized. A full or abbreviated name needs no line. */
function recognitionLine({ tier, commandName }: Extract<CmeNote, { kind: 'recognised' }>): TranscriptLine | null {
  switch (tier) {
    case 'exact':
    case 'prefix':
      return null;
    case 'fuzzy':
      return { what: 'note', text: `A mistyped name was taken as ${commandName}.` };
    case 'learned':
      return { what: 'note', text: `Understood as ${commandName}, as clarified before.` };
    case 'ranked':
      return { what: 'note', text: `Understood as ${commandName}, by its likeness.` };
    case 'clarified':
      return { what: 'clarification', text: `It was meant as ${commandName}.` };
  }
}

interface PlanOptions {
  /** Ranks the commands for a text that names none. @default the trained classifier */
  readonly classifier?: IntentClassifier;
}

/**
 * Parses a command without a model: a pure function of the catalogue and the text.
 *
 * @param command text of an agent or a user
 * @returns the command with its parameters, an answer, a request for clarification, or the problems of the parameters
 */
export function plan(catalogue: Catalogue, command: string, options: PlanOptions = {}): CommandPlan {
  const { classifier = classify } = options;
  const context: CmeContext = { catalogue, learned: new Map(), options: {}, classifier };
  let stage: CmeStage = START;
  let event: CmeEvent = { kind: 'command', text: command };
  for (;;) {
    const step = transition(stage, event, context);
    const { effect } = step;
    switch (effect.kind) {
      case 'done':
        return effect.plan;
      case 'ask_clarifier': {
        const candidates = effect.candidates ?? catalogue.commands.map(({ name }) => name);
        return { kind: 'clarification', message: effect.message, candidates };
      }
      case 'ask_ranker':
        event = { kind: 'ranked', text: effect.text, among: effect.among, ranking: null };
        break;
      case 'ask_extraction':
        // Without a model, only the tags give parameters.
        event = { kind: 'extracted', parameters: effect.found };
        break;
    }
    stage = step.stage;
  }
}

/** A text whose command is unclear. */
interface OpenCommand {
  readonly text: string;
  /** Reason why the text is unclear. */
  readonly message: string;
  /** Names of the candidates; null for any command. */
  readonly candidates: readonly string[] | null;
}

/**
 * Asks a model for the meaning of a command, in one call without tools. The model gets the agent's task and steps, and
 * the candidates; if any command is possible, all names.
 *
 * @returns null if no reply could be read
 */
async function askClarifier(agent: AgentContext, turn: Turn, open: OpenCommand): Promise<Clarification | null> {
  const signature = signaturesFor(agent.options).clarify;
  try {
    const answer = await askWithTrajectory(
      agent,
      turn,
      signature,
      (trajectory) => [
        ['original_command', open.text],
        ['error_message', errorParts(agent, open)],
        ['agent_inputs', `user_query: ${turn.plannedQuery}`],
        ['agent_trajectory', trajectory],
      ],
      `clarify: ${open.text.replace(/\s+/g, ' ').trim()}`,
    );
    const { texts } = expectFields(signature, answer);
    return {
      command: texts.get('clarified_command') ?? '',
      needsHuman: texts.get('needs_human') === 'true',
      question: texts.get('clarification_question') ?? '',
    };
  } catch (error) {
    if (error instanceof UnreadableReply) return null;
    throw error;
  }
}

function errorParts({ catalogue }: AgentContext, { message, candidates }: OpenCommand): PromptPart[] {
  if (candidates === null) return [message];
  return [message, `\n\nThe commands in question:\n\n${commandMetadata(catalogue, candidates)}`];
}

/**
 * Ranks the commands with a model instead of the classifier (`intentRanker: 'llm'`).
 * @returns null if no reply could be read, so that the classifier is used
 */
export async function askRanker(
  { session, options }: Pick<AgentContext, 'session' | 'options'>,
  utterance: string,
): Promise<RankedCommand[] | null> {
  const summary = `rank: ${utterance.replace(/\s+/g, ' ').trim()}`;
  try {
    const { objects } = await askForText(
      session,
      options,
      signaturesFor(options).rank,
      [
        ['commands', COMMANDS_TEXT],
        ['utterance', utterance],
      ],
      summary,
    );
    const confidences = objects.get('command_confidences');
    if (!isDict(confidences)) return null;
    return Array.from(confidences, ([name, value]) => ({ name, confidence: asConfidence(value) }));
  } catch (error) {
    if (error instanceof UnreadableReply) return null;
    throw error;
  }
}

/** Reads a confidence from 0 to 1; models also write `"0.9"` and `90`. Any other value becomes 0. */
function asConfidence(value: PyValue): number {
  const number =
    value instanceof PyFloat ? value.value : typeof value === 'bigint' || typeof value === 'string' ? Number(value) : 0;
  const share = number > 1 && number <= 100 ? number / 100 : number;
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

/**
 * Reads missing parameters from words, with a model. FastWorkflow samples up to three answers and uses the best; here
 * one answer is used, and a second requested only if the first is unreadable.
 *
 * @param statement the text without the known parameters; if it is only the command's name, no call is made
 * @param found parameters from tags; they take precedence over the model's parameters
 * @returns all known parameters; null if two answers could not be read
 */
export async function extractParameters(
  { session }: Pick<AgentContext, 'session'>,
  command: CommandDefinition,
  statement: string,
  found: RawParameters,
): Promise<RawParameters | null> {
  const words = withoutName(statement, command.name);
  if (words === '' || command.fields.length === 0) return found;
  for (const attempt of ['first', 'again'] as const) {
    const { fields } = await session.complete({
      role: 'agent/extraction',
      thread: 'extraction',
      messages: extractionMessages(command.name, words, attempt),
      format: 'json',
      replyFields: command.name,
      schema: extractionSchemaKey(command.name),
      summary: `extract parameters: ${command.name}${attempt === 'first' ? '' : ', again'}`,
    });
    if (fields !== undefined && fields !== null) return withExtracted(command, fields, found);
    session.count('unreadable_replies');
  }
  return null;
}

/** Returns the fields of an extraction's reply without the model's reasoning; the key is the command's name. */
export function commandReplyFields(
  source: CatalogueSource,
  key: string,
  env: string,
): readonly ReplyFieldDefinition[] | undefined {
  const command = source.domains?.includes(env) === false ? undefined : source.find(env).find(key);
  return command?.fields.map(({ name, type }) => ({ name, type: type === 'list' ? 'list' : 'text' }));
}

/** Removes the command's name, which is not a value. */
function withoutName(statement: string, name: string): string {
  return statement.replace(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'gi'), '').trim();
}

function withExtracted(command: CommandDefinition, fields: ReplyFieldValues, found: RawParameters): RawParameters {
  const known = new Map<string, string | readonly string[]>();
  for (const field of command.fields) {
    const value = found.get(field.name) ?? extractedValue(field, fields[field.name] ?? null);
    if (value !== null) known.set(field.name, value);
  }
  return known;
}

function extractedValue(
  field: FieldDefinition,
  value: string | readonly string[] | null,
): string | readonly string[] | null {
  const texts = (typeof value === 'string' ? [value] : (value ?? [])).map((text) => text.trim()).filter(isGiven);
  const [first] = texts;
  if (first === undefined) return null;
  if (field.type !== 'list') return first;
  return texts.length === 1 ? splitList(field, first) : texts;
}

/** Splits a text such as `1, 2` into the items of a list, unless the whole text has the field's form. */
function splitList({ pattern }: FieldDefinition, text: string): readonly string[] {
  const isItem = pattern === undefined ? !/[[(,]/.test(text) : wholePattern(pattern).test(text);
  return isItem ? [text] : readList(text);
}

function isGiven(text: string): boolean {
  return text !== '' && text.toUpperCase() !== NOT_FOUND && !/^(?:null|none|\[\s*\])$/i.test(text);
}
