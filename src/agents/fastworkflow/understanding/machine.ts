/**
 * Command understanding as a state machine that maps a stage and an event to a stage and an effect. It is pure; the
 * driver performs the effects and reports their results as events.
 *
 * A command asks at most one ranker, one clarifier and one extraction, in this order, and ends with `done`. The next
 * stage is intent detection, or a correction while tries are left.
 */

import { withoutThinkTags } from '../../reasoning.ts';
import { findCoreAnswer, matchName } from './matching.ts';
import { applyCorrection, applyExtraction, readParameters, type OwnText } from './parameter-stage.ts';
import {
  START,
  done,
  type Clarification,
  type CmeContext,
  type CmeEvent,
  type CmeStage,
  type CmeStep,
  type RankedCommand,
} from './types.ts';
import { readWritten, splitWord } from './written-commands.ts';
import { normaliseUtterance, recognise, settle, type Detection, type OpenIntent } from './intent.ts';
import type { Catalogue, CommandDefinition } from '../catalogue/definitions.ts';

/** @throws Error for an answer that the stage does not expect */
export function transition(stage: CmeStage, event: CmeEvent, context: CmeContext): CmeStep {
  switch (event.kind) {
    case 'command':
      // Removes reasoning within a command; reasoning around it is already removed.
      return takeCommand(stage, withoutThinkTags(event.text), context);
    case 'ranked':
      if (stage.stage !== 'intent_detection') break;
      return settleIntent(event.text, event.among, event.ranking, context);
    case 'clarified':
      if (stage.stage === 'intent_detection' || stage.stage === 'parameter_extraction') break;
      return applyClarification(stage, event.clarification, context);
    case 'extracted':
      if (stage.stage !== 'parameter_extraction' || stage.awaits.kind !== 'extraction') break;
      return applyExtraction(stage, event.parameters);
  }
  throw new Error(`the stage ${stage.stage} has not asked for what was ${event.kind}`);
}

/** Starts a new command, except while a correction is expected and the text does not name a command. */
function takeCommand(stage: CmeStage, text: string, context: CmeContext): CmeStep {
  if (stage.stage !== 'parameter_extraction' || stage.awaits.kind !== 'correction') return detectIntent(text, context);
  if (text.trim() === '') {
    const answer = { kind: 'text', text: EMPTY_COMMAND } as const;
    return { stage, effect: { kind: 'done', plan: { kind: 'handled', commandName: '', answer } }, notes: [] };
  }
  const isCommand = readWritten(context.catalogue, text).kind === 'named';
  if (isCommand || findCoreAnswer(text, splitWord(text).name) !== null) {
    return detectIntent(text, context);
  }
  return applyCorrection(stage, stage.awaits.wanted, text);
}

/** @param text text of the agent */
function detectIntent(text: string, context: CmeContext): CmeStep {
  const recognised = recognise(text, context);
  if (recognised.kind !== 'open') return applyDetection(text, recognised, context);
  if (context.options.intentRanker === 'llm') {
    return { stage: START, effect: { kind: 'ask_ranker', text, among: recognised.among }, notes: [] };
  }
  return settleIntent(text, recognised.among, null, context);
}

/** @param ranking ranking by a model; null to use the classifier */
function settleIntent(
  text: string,
  among: OpenIntent['among'],
  ranking: readonly RankedCommand[] | null,
  context: CmeContext,
): CmeStep {
  const ranked = ranking ?? context.classifier(text, context.catalogue);
  return applyDetection(text, settle(text, { kind: 'open', among }, ranked, context.catalogue), context);
}

function applyDetection(text: string, detected: Detection, context: CmeContext): CmeStep {
  switch (detected.kind) {
    case 'empty':
      return done({ kind: 'handled', commandName: '', answer: { kind: 'text', text: EMPTY_COMMAND } });
    case 'core':
      return done({ kind: 'handled', commandName: detected.name, answer: detected.answer });
    case 'command': {
      const { tier, command, rest, others } = detected;
      return readParameters(command, { rest, others }, context, [
        { kind: 'recognised', tier, commandName: command.name },
      ]);
    }
    case 'ambiguous': {
      const { candidates } = detected;
      const message = ambiguityMessage(text, candidates);
      return {
        stage: { stage: 'intent_ambiguity_clarification', text, candidates, message },
        effect: { kind: 'ask_clarifier', text, message, candidates },
        notes: [],
      };
    }
    case 'misunderstood': {
      const message = misunderstandingMessage(text, context.catalogue);
      return {
        stage: { stage: 'intent_misunderstanding_clarification', text, message },
        effect: { kind: 'ask_clarifier', text, message, candidates: null },
        notes: [{ kind: 'misunderstood' }],
      };
    }
  }
}

type ClarificationStage = Extract<
  CmeStage,
  { readonly stage: 'intent_ambiguity_clarification' | 'intent_misunderstanding_clarification' }
>;

/**
 * Ends the two stages in which a model decides on the meaning: which of several commands, or which of all commands.
 *
 * The model answers once. If the answer names a command, the clarifier's text of it runs. Otherwise the agent has to
 * ask the user, and the next command starts anew. FastWorkflow stays in the stage instead, and reads the parameters
 * from the unclear words.
 *
 * @param clarification null if no answer could be read
 */
function applyClarification(
  stage: ClarificationStage,
  clarification: Clarification | null,
  context: CmeContext,
): CmeStep {
  if (clarification === null || clarification.needsHuman)
    return escalate(stage, clarification?.question ?? '', context);
  const named = namedCommand(clarification.command, context);
  if (named === undefined) {
    const { name: token } = splitWord(clarification.command);
    const core = token === '' ? null : findCoreAnswer(clarification.command, token);
    if (core === null) return escalate(stage, clarification.question, context);
    return done({ kind: 'handled', commandName: core.name, answer: core.answer });
  }
  const { command, rest } = named;
  const original = readWritten(context.catalogue, stage.text);
  const [text, further] = original.kind === 'unnamed' ? [original.text, original.others] : [stage.text, []];
  const others = [...new Set([...named.others, ...further])].filter((name) => name !== command.name);
  return readParameters(command, { rest, others }, context, [
    { kind: 'recognised', tier: 'clarified', commandName: command.name },
    { kind: 'learned', utterance: normaliseUtterance(text), commandName: command.name },
  ]);
}

interface NamedCommand extends OwnText {
  readonly command: CommandDefinition;
}

/**
 * Finds the command that a clarification names. The clarification must contain a whole name, because its beginning may
 * be as ambiguous as the original text. Only a command that reads may have a mistyped name.
 */
function namedCommand(text: string, { catalogue }: CmeContext): NamedCommand | undefined {
  const written = readWritten(catalogue, text);
  if (written.kind === 'named') {
    const { name, rest, others } = written.command;
    const command = catalogue.find(name);
    return command === undefined ? undefined : { command, rest, others };
  }
  const { name: token, rest } = splitWord(written.text);
  const match = matchName(catalogue, token);
  const [only, ...further] = match?.names ?? [];
  if (match === null || match.tier === 'prefix' || only === undefined || further.length > 0) return undefined;
  const command = catalogue.find(only);
  return command?.isRead === true ? { command, rest, others: written.others } : undefined;
}

function escalate(stage: ClarificationStage, question: string, { catalogue }: CmeContext): CmeStep {
  const candidates =
    stage.stage === 'intent_ambiguity_clarification' ? stage.candidates : catalogue.commands.map(({ name }) => name);
  const message = escalationMessage(stage.text, stage.message, question.trim());
  return done({ kind: 'clarification', message, candidates }, [{ kind: 'escalated' }]);
}

const EMPTY_COMMAND = 'The command was empty, so nothing ran. Give a command name and its parameters.';

/** @param candidates names of candidates, the likeliest first */
function ambiguityMessage(text: string, candidates: readonly string[]): string {
  const problem =
    candidates.length === 1
      ? `'${firstLine(text)}' does not name a command in full, so nothing ran; ${candidates.join('')} may be meant.`
      : `'${firstLine(text)}' can mean several commands, so nothing ran: ${candidates.join(', ')}.`;
  return [
    problem,
    'Give the one that is meant by its whole name, with its parameters in tags; what_can_i_do lists all commands.',
  ].join('\n');
}

function misunderstandingMessage(text: string, { commands }: Catalogue): string {
  return [
    `No command is understood from '${firstLine(text)}', so nothing ran.`,
    `The command must start with one of these names: ${commands.map(({ name }) => name).join(', ')}.`,
  ].join('\n');
}

/** @param message reason why the text is unclear @param question the clarifier's question; `''` for none */
function escalationMessage(text: string, message: string, question: string): string {
  return question === ''
    ? `${message}\nUse ask_user to find out what is wanted, then give a complete command.`
    : `It is not clear which command '${firstLine(text)}' means, so nothing ran.\nUse ask_user with this question: ${question}`;
}

/** Returns the first line of the agent's text, shortened for recognition. */
function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
