/**
 * Command understanding (FastWorkflow's command metadata extraction, CME): from the agent's text to a command with its
 * parameters, or to the reason why there is none.
 *
 * Four stages, as in FastWorkflow: find the command; choose among several; clarify an unclear text; read the
 * parameters. The stages are a pure state machine over this plain data; only its driver (`understand.ts`) calls a
 * model.
 */

import type { PyDict } from '../../../benchmarks/python/index.ts';
import type { Catalogue, CommandDefinition } from '../catalogue/definitions.ts';
import type { FastWorkflowOptions } from '../options.ts';

/** Values of fields in a command's text; fields that the text does not mention are absent. */
export type RawParameters = ReadonlyMap<string, string | readonly string[]>;

/** The result of understanding a command. */
export type CommandPlan =
  /** The command is ready to be executed. */
  | {
      readonly kind: 'plan';
      readonly commandName: string;
      readonly cmdParameters: PyDict;
      /** Names of commands written after this one, which are not executed. @default none */
      readonly others?: readonly string[];
    }
  /** The workflow answers the command itself, without the environment. */
  | { readonly kind: 'handled'; readonly commandName: string; readonly answer: HandledAnswer }
  /** The command is unclear; the candidates are command names. */
  | { readonly kind: 'clarification'; readonly message: string; readonly candidates: readonly string[] }
  /** The command is known, but its parameters are invalid. */
  | {
      readonly kind: 'error';
      readonly commandName: string;
      readonly message: string;
      readonly others?: readonly string[];
      /** True if the next command may correct the parameters; otherwise this command is abandoned. @default false */
      readonly correctable?: boolean;
    };

/** Answer to a command about commands. `catalogue`: the list of commands; `text`: a fixed text. */
export type HandledAnswer = { readonly kind: 'catalogue' } | { readonly kind: 'text'; readonly text: string };

/** The stage of a command. `text` is the agent's text. */
export type CmeStage =
  | { readonly stage: 'intent_detection' }
  | {
      readonly stage: 'intent_ambiguity_clarification';
      readonly text: string;
      /** Names of possible commands, the likeliest first. */
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
  /** Names of commands written after this one. */
  readonly others: readonly string[];
  /** Remaining tries at this command's parameters, including the current one. */
  readonly triesLeft: number;
  /** The expected answer: a model's parameters, or the agent's values of the requested fields in order. */
  readonly awaits:
    { readonly kind: 'extraction' } | { readonly kind: 'correction'; readonly wanted: readonly string[] };
}

/** The way in which a command was recognized: a tier of intent detection, or the clarifier. */
export type IntentTier = 'exact' | 'prefix' | 'fuzzy' | 'learned' | 'ranked' | 'clarified';

/** A command with the classifier's confidence in it, from 0 to 1. */
export interface RankedCommand {
  readonly name: string;
  readonly confidence: number;
}

/**
 * Ranks the commands for a text that names none, in place of FastWorkflow's trained classifier. It must be
 * deterministic and without I/O, because it runs in workflow code. `ACCEPT`, `MARGIN` and `FLOOR` in `matching.ts` are
 * the thresholds for accepting and suggesting a command. Names that the catalogue lacks are ignored.
 */
export type IntentClassifier = (utterance: string, catalogue: Catalogue) => readonly RankedCommand[];

export interface Clarification {
  /** A complete command; `''` for none. */
  readonly command: string;
  /** True if the user must clarify the request. */
  readonly needsHuman: boolean;
  /** The question to ask the user; `''` for none. */
  readonly question: string;
}

/** One episode's memory; never shared, never on disk. */
export interface CmeMemory {
  stage: CmeStage;
  /** Clarified utterances in normal form, with their commands. */
  readonly learned: Map<string, string>;
}

export function emptyMemory(): CmeMemory {
  return { stage: { stage: 'intent_detection' }, learned: new Map() };
}

export type CmeOptions = Pick<FastWorkflowOptions, 'parameterTries' | 'intentRanker'>;

export interface IntentKnowledge {
  readonly catalogue: Catalogue;
  /** Commands of clarified utterances, by normal form. */
  readonly learned: ReadonlyMap<string, string>;
}

/** Input of a step besides the stage: the episode's knowledge, and its settings. */
export interface CmeContext extends IntentKnowledge {
  readonly options: CmeOptions;
  readonly classifier: IntentClassifier;
}

export type CmeEvent =
  | { readonly kind: 'command'; readonly text: string }
  /** A model's ranking of the commands; null if its replies were unreadable. */
  | {
      readonly kind: 'ranked';
      readonly text: string;
      readonly among: readonly string[] | null;
      readonly ranking: readonly RankedCommand[] | null;
    }
  /** The clarifier's answer; null if its replies were unreadable. */
  | { readonly kind: 'clarified'; readonly clarification: Clarification | null }
  /** A model's reading of the parameters; null if its replies were unreadable. */
  | { readonly kind: 'extracted'; readonly parameters: RawParameters | null };

/** The next thing to do. A command ends with `done`; the answer to each `ask_…` is the event of its kind. */
export type CmeEffect =
  | { readonly kind: 'done'; readonly plan: CommandPlan }
  | { readonly kind: 'ask_ranker'; readonly text: string; readonly among: readonly string[] | null }
  | {
      readonly kind: 'ask_clarifier';
      readonly text: string;
      readonly message: string;
      /** Names of the candidates; null for any command. */
      readonly candidates: readonly string[] | null;
    }
  | {
      readonly kind: 'ask_extraction';
      readonly command: CommandDefinition;
      readonly statement: string;
      readonly found: RawParameters;
    };

/** A fact to count, show or remember, which does not affect this command. */
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

/** The stage in which every command starts and ends. */
export const START: CmeStage = { stage: 'intent_detection' };

export function done(plan: CommandPlan, notes: readonly CmeNote[] = []): CmeStep {
  return { stage: START, effect: { kind: 'done', plan }, notes };
}
