/** The first stage: which command is meant. */

import { type Detection, type OpenIntent, recognise, settle } from '../intent/detect.ts';
import type { RankedCommand } from '../types.ts';
import { ambiguityMessage, EMPTY_COMMAND, misunderstandingMessage } from './messages.ts';
import { readParameters } from './parameter-extraction.ts';
import { type CmeContext, type CmeStep, done, START } from './step.ts';

/** @param text what the agent wrote */
export function detectIntent(text: string, context: CmeContext): CmeStep {
  const recognised = recognise(text, context);
  if (recognised.kind !== 'open') return goOn(text, recognised, context);
  if (context.options.intentRanker === 'llm') {
    return { stage: START, effect: { kind: 'ask_ranker', text, among: recognised.among }, notes: [] };
  }
  return settleIntent(text, recognised.among, null, context);
}

/** @param ranking a model's; null to have the classifier rank */
export function settleIntent(
  text: string,
  among: OpenIntent['among'],
  ranking: readonly RankedCommand[] | null,
  context: CmeContext,
): CmeStep {
  const ranked = ranking ?? context.classifier(text, context.catalogue);
  return goOn(text, settle(text, { kind: 'open', among }, ranked, context.catalogue), context);
}

function goOn(text: string, detected: Detection, context: CmeContext): CmeStep {
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
