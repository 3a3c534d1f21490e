/** Single steps of the machine that understands commands. */

import {
  rankByWords,
  transition,
  START,
  type Clarification,
  type CmeContext,
  type CmeOptions,
  type CmeStage,
  type CmeStep,
  type RawParameters,
} from '../../../src/agents/fastworkflow/testing.ts';
import type { CommandPlan } from '../../../src/agents/fastworkflow/public.ts';
import { RETAIL } from './commands.ts';

export function context(options: CmeOptions = {}): CmeContext {
  return { catalogue: RETAIL, learned: new Map(), options, classifier: rankByWords };
}

export function take(text: string, from: CmeStage = START, given: CmeContext = context()): CmeStep {
  return transition(from, { kind: 'command', text }, given);
}

export function clarify(
  step: CmeStep,
  clarification: Partial<Clarification> | null,
  given: CmeContext = context(),
): CmeStep {
  const whole = clarification === null ? null : { command: '', needsHuman: false, question: '', ...clarification };
  return transition(step.stage, { kind: 'clarified', clarification: whole }, given);
}

export function extracted(step: CmeStep, parameters: Record<string, string> | null): CmeStep {
  const raw: RawParameters | null = parameters === null ? null : new Map(Object.entries(parameters));
  return transition(step.stage, { kind: 'extracted', parameters: raw }, context());
}

/** Result of a command; the stage must be ready for the next one. */
export function result(step: CmeStep): CommandPlan {
  if (step.effect.kind !== 'done') throw new Error(`not done, but ${step.effect.kind}`);
  return step.effect.plan;
}

export const kinds = (step: CmeStep) => step.notes.map((note) => note.kind);
