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
import { splitCommand } from '../parameters/xml.ts';
import type { Clarification, CmeStage } from '../types.ts';
import { escalationMessage } from './messages.ts';
import { readParameters } from './parameter-extraction.ts';
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
  const { name: token, rest } = splitCommand(clarification.command);
  const command = namedCommand(token, context);
  if (command === undefined) {
    const core = token === '' ? null : coreAnswer(context.catalogue, clarification.command, token);
    if (core === null) return escalate(stage, clarification.question, context);
    return done({ kind: 'handled', commandName: core.name, answer: core.answer });
  }
  const onlyName = hasCompat(context.options, 'fastworkflow-clarified-name');
  return readParameters(command, onlyName ? stage.text : rest, context, [
    { kind: 'recognised', tier: 'clarified', commandName: command.name },
    { kind: 'learned', utterance: normaliseUtterance(stage.text), commandName: command.name },
  ]);
}

/** Only a whole name counts, be it mistyped: its beginning may be as ambiguous as what was to be clarified. */
function namedCommand(token: string, { catalogue }: CmeContext): CommandDefinition | undefined {
  const match = matchName(catalogue, token);
  const [only, ...others] = match?.names ?? [];
  if (match === null || match.tier === 'prefix' || only === undefined || others.length > 0) return undefined;
  return catalogue.find(only);
}

function escalate(stage: ClarificationStage, question: string, { catalogue }: CmeContext): CmeStep {
  const candidates =
    stage.stage === 'intent_ambiguity_clarification' ? stage.candidates : catalogue.commands.map(({ name }) => name);
  const message = escalationMessage(stage.text, stage.message, question.trim());
  return done({ kind: 'clarification', message, candidates }, [{ kind: 'escalated' }]);
}
