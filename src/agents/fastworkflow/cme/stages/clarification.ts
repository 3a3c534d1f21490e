/**
 * The two stages in which a model was asked what is meant: which of several commands, or what at all.
 *
 * One answer has to do. A command that can be made out of it is run as the clarifier wrote it; anything else sends the
 * agent to the customer, once, and leaves nothing behind for the next command. FastWorkflow keeps the stage instead,
 * and reads the parameters from the words that were not understood.
 */

import type { CommandDefinition } from '../../catalogue/types.ts';
import { hasCompat } from '../../compat.ts';
import { coreAnswer } from '../intent/core.ts';
import { matchName } from '../intent/names.ts';
import { normaliseUtterance } from '../intent/normalise.ts';
import type { Clarification, CmeStage } from '../types.ts';
import { readWritten, splitCommand } from '../written/commands.ts';
import { escalationMessage } from './messages.ts';
import { type OwnText, readParameters } from './parameter-extraction.ts';
import { type CmeContext, type CmeStep, done } from './step.ts';

export type ClarificationStage = Extract<
  CmeStage,
  { readonly stage: 'intent_ambiguity_clarification' | 'intent_misunderstanding_clarification' }
>;

/** @param clarification null when no answer could be read */
export function applyClarification(
  stage: ClarificationStage,
  clarification: Clarification | null,
  context: CmeContext,
): CmeStep {
  if (clarification === null || clarification.needsHuman)
    return escalate(stage, clarification?.question ?? '', context);
  const named = namedCommand(clarification.command, context);
  if (named === undefined) {
    const { name: token } = splitCommand(context.catalogue, clarification.command);
    const core = token === '' ? null : coreAnswer(context.catalogue, clarification.command, token);
    if (core === null) return escalate(stage, clarification.question, context);
    return done({ kind: 'handled', commandName: core.name, answer: core.answer });
  }
  const { command, rest } = named;
  const original = readWritten(context.catalogue, stage.text);
  const [text, further] = original.kind === 'unnamed' ? [original.text, original.others] : [stage.text, []];
  const others = [...new Set([...named.others, ...further])].filter((name) => name !== command.name);
  const onlyName = hasCompat(context.options, 'fastworkflow-clarified-name');
  return readParameters(command, { rest: onlyName ? text : rest, others }, context, [
    { kind: 'recognised', tier: 'clarified', commandName: command.name },
    { kind: 'learned', utterance: normaliseUtterance(text), commandName: command.name },
  ]);
}

interface NamedCommand extends OwnText {
  readonly command: CommandDefinition;
}

/**
 * Only a whole name counts: its beginning may be as ambiguous as what was to be clarified. The name of a command that
 * only reads may be mistyped.
 */
function namedCommand(text: string, { catalogue }: CmeContext): NamedCommand | undefined {
  const written = readWritten(catalogue, text);
  if (written.kind === 'named') {
    const { name, rest, others } = written.command;
    const command = catalogue.find(name);
    return command === undefined ? undefined : { command, rest, others };
  }
  const { name: token, rest } = splitCommand(catalogue, written.text);
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
