/**
 * Command metadata extraction as a state machine: stage and event in, stage and effect out. Pure; whoever runs it
 * performs the effects and reports what came of them.
 *
 * A command asks at most one ranker, one clarifier and one extraction, in this order, and ends with `done`. The stage is
 * then back at intent detection, or waits for a correction while tries are left.
 */

import { withoutReasoning } from '../../reasoning.ts';
import { coreAnswer } from './intent/core.ts';
import { applyClarification } from './stages/clarification.ts';
import { detectIntent, settleIntent } from './stages/intent-detection.ts';
import { EMPTY_COMMAND } from './stages/messages.ts';
import { applyCorrection, applyExtraction } from './stages/parameter-extraction.ts';
import type { CmeContext, CmeEvent, CmeStep } from './stages/step.ts';
import type { CmeStage } from './types.ts';
import { readWritten, splitCommand } from './written/commands.ts';

/** @throws Error for an answer that the stage has not asked for */
export function transition(stage: CmeStage, event: CmeEvent, context: CmeContext): CmeStep {
  switch (event.kind) {
    case 'command':
      return takeCommand(stage, spokenText(event.text, context), context);
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

/** Reasoning within a command is no part of it, as around it. */
function spokenText(text: string, { catalogue }: CmeContext): string {
  return catalogue.firstWordOnly === true ? text : withoutReasoning(text);
}

/** A command is a new one in every stage but that which waits for a correction, and even there if it says so. */
function takeCommand(stage: CmeStage, text: string, context: CmeContext): CmeStep {
  if (stage.stage !== 'parameter_extraction' || stage.awaits.kind !== 'correction') return detectIntent(text, context);
  if (text.trim() === '') {
    const answer = { kind: 'text', text: EMPTY_COMMAND } as const;
    return { stage, effect: { kind: 'done', plan: { kind: 'handled', commandName: '', answer } }, notes: [] };
  }
  const isCommand = readWritten(context.catalogue, text).kind === 'named';
  if (isCommand || coreAnswer(context.catalogue, text, splitCommand(context.catalogue, text).name) !== null) {
    return detectIntent(text, context);
  }
  return applyCorrection(stage, stage.awaits.wanted, text);
}
