/** What the state machine is told and what it asks for: plain data, so that every step can be tested without a model. */

import type { StrategyOptions } from '../../../port.ts';
import type { CommandDefinition } from '../../catalogue/types.ts';
import type { IntentKnowledge } from '../intent/detect.ts';
import type {
  Clarification,
  CmeStage,
  CommandPlan,
  IntentClassifier,
  IntentTier,
  RankedCommand,
  RawParameters,
} from '../types.ts';

export type CmeOptions = Pick<StrategyOptions, 'compat' | 'parameterTries' | 'intentRanker'>;

/** What a step may know beside the stage: what an episode has learned, and its settings. */
export interface CmeContext extends IntentKnowledge {
  readonly options: CmeOptions;
  readonly classifier: IntentClassifier;
}

export type CmeEvent =
  /** The agent wrote something. */
  | { readonly kind: 'command'; readonly text: string }
  /** A model has ranked the commands; null when its replies could not be read. */
  | {
      readonly kind: 'ranked';
      readonly text: string;
      readonly among: readonly string[] | null;
      readonly ranking: readonly RankedCommand[] | null;
    }
  /** The clarifier has answered; null when its replies could not be read. */
  | { readonly kind: 'clarified'; readonly clarification: Clarification | null }
  /** A model has read the parameters; null when its replies could not be read. */
  | { readonly kind: 'extracted'; readonly parameters: RawParameters | null };

/** What is to be done next. A command ends with `done`; each `ask_…` is answered by the event of its kind. */
export type CmeEffect =
  | { readonly kind: 'done'; readonly plan: CommandPlan }
  | { readonly kind: 'ask_ranker'; readonly text: string; readonly among: readonly string[] | null }
  | {
      readonly kind: 'ask_clarifier';
      readonly text: string;
      readonly message: string;
      /** The commands that come into question; null when it can be any. */
      readonly candidates: readonly string[] | null;
    }
  | {
      readonly kind: 'ask_extraction';
      readonly command: CommandDefinition;
      readonly statement: string;
      readonly found: RawParameters;
    };

/** Something worth counting, telling or remembering; it has no influence on what comes next for this command. */
export type CmeNote =
  | { readonly kind: 'recognised'; readonly tier: IntentTier; readonly commandName: string }
  | { readonly kind: 'misunderstood' }
  | { readonly kind: 'escalated' }
  | { readonly kind: 'learned'; readonly utterance: string; readonly commandName: string }
  | { readonly kind: 'parameter_error'; readonly commandName: string }
  /** Valid values that equal an example of their field. */
  | { readonly kind: 'example_values'; readonly values: number };

export interface CmeStep {
  readonly stage: CmeStage;
  readonly effect: CmeEffect;
  readonly notes: readonly CmeNote[];
}

/** Where every command starts, and ends. */
export const START: CmeStage = { stage: 'intent_detection' };

export function done(plan: CommandPlan, notes: readonly CmeNote[] = []): CmeStep {
  return { stage: START, effect: { kind: 'done', plan }, notes };
}
