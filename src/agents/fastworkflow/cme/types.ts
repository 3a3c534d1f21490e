/**
 * Command metadata extraction: from what the agent wrote to a command with its parameters, or the reason for none.
 *
 * Four stages, as in FastWorkflow: which command is meant; which of several; what was meant at all; and with which
 * parameters. Each is a small pure module; only the driver asks a model.
 */

import type { PyDict } from '../../../benchmark/python/index.ts';
import type { Catalogue, CommandDefinition } from '../catalogue/types.ts';

/** What a command's text says about its fields; fields that it does not mention are absent. */
export type RawParameters = ReadonlyMap<string, string | readonly string[]>;

/** What came of a command. */
export type CommandPlan =
  /** Ready to be carried out. */
  | {
      readonly kind: 'plan';
      readonly commandName: string;
      readonly cmdParameters: PyDict;
      /** Commands that were written after it and are not carried out. @default none */
      readonly others?: readonly string[];
    }
  /** Answered by the workflow itself, without the environment. */
  | { readonly kind: 'handled'; readonly commandName: string; readonly answer: HandledAnswer }
  /** It is open which command was meant; the candidates are command names. */
  | { readonly kind: 'clarification'; readonly message: string; readonly candidates: readonly string[] }
  /** The command is known, its parameters are not valid. */
  | {
      readonly kind: 'error';
      readonly commandName: string;
      readonly message: string;
      readonly others?: readonly string[];
      /** The next command may correct the parameters; otherwise this command is given up. @default false */
      readonly correctable?: boolean;
    };

/** `catalogue`: the list of commands; `text`: these words. */
export type HandledAnswer = { readonly kind: 'catalogue' } | { readonly kind: 'text'; readonly text: string };

/** Where a command stands on its way. `text` is what the agent wrote. */
export type CmeStage =
  | { readonly stage: 'intent_detection' }
  | {
      readonly stage: 'intent_ambiguity_clarification';
      readonly text: string;
      /** Command names, the likeliest first. */
      readonly candidates: readonly string[];
      readonly message: string;
    }
  | {
      readonly stage: 'intent_misunderstanding_clarification';
      readonly text: string;
      readonly message: string;
    }
  | ParameterStage;

export interface ParameterStage {
  readonly stage: 'parameter_extraction';
  readonly command: CommandDefinition;
  readonly found: RawParameters;
  /** Names of the commands that were written after this one. */
  readonly others: readonly string[];
  /** Tries at this command's parameters that are left, the one under way included. */
  readonly triesLeft: number;
  /** A model's reading of the text; or the agent's own, of the fields that were asked for, in that order. */
  readonly awaits:
    { readonly kind: 'extraction' } | { readonly kind: 'correction'; readonly wanted: readonly string[] };
}

/** How a command was recognised: the tiers of intent detection, and the clarifier. */
export type IntentTier = 'exact' | 'prefix' | 'fuzzy' | 'learned' | 'ranked' | 'clarified';

/** A command with the classifier's confidence in it, from 0 to 1. */
export interface RankedCommand {
  readonly name: string;
  readonly confidence: number;
}

/**
 * What stands in for FastWorkflow's trained classifier: ranks commands for words that name none. Deterministic and
 * without I/O, because it runs in workflow code. `intent/thresholds.ts` says which confidences count as meant, as
 * possible, and as neither; names that the catalogue does not have are passed over.
 */
export type IntentClassifier = (utterance: string, catalogue: Catalogue) => readonly RankedCommand[];

/** What the clarifier made of a command. */
export interface Clarification {
  /** A complete command; `''` for none. */
  readonly command: string;
  /** Only the customer can tell what is meant. */
  readonly needsHuman: boolean;
  /** What the customer is to be asked; `''` for nothing in particular. */
  readonly question: string;
}

/** One episode's memory; never shared, never on disk. */
export interface CmeMemory {
  stage: CmeStage;
  /** Utterances that were clarified, in their normal form, with the command they meant. */
  readonly learned: Map<string, string>;
}

export function emptyMemory(): CmeMemory {
  return { stage: { stage: 'intent_detection' }, learned: new Map() };
}
