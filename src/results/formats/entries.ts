/** Runs of any format as entries of a results file, which reports, comparisons, pages and judges read. */

import type { ResultsFileEntry } from '../../benchmarks/results.ts';
import { ResultsError, ResultsProblem, type RecordedEntry } from '../../run-log/index.ts';
import type { RecordedRun, RecordedTrial } from './model.ts';

export interface ScoreChoice {
  /** Name of the score to use. @default the format's main score, or its only one */
  readonly score?: string;
  /** Threshold: a score of at least this becomes 1, a lower one 0. @default scores are used unchanged */
  readonly threshold?: number;
}

/** Returns a function that numbers tasks by name, with the same number for a name in all runs. */
export function createTaskNumbers(runs: readonly RecordedRun[]): (task: string) => number {
  const names = new Set(runs.flatMap(({ trials }) => trials.map(({ task }) => task)));
  if ([...names].every((name) => /^(?:0|[1-9]\d{0,8})$/.test(name))) return Number;
  const places = new Map([...names].map((name, place) => [name, place]));
  return (task) => places.get(task) ?? names.size;
}

/**
 * @returns the entries, and the name of their score; null for a run without scores, whose trials are all ungraded
 * @throws ResultsError if the run has several scores and none is chosen, if it lacks the chosen score, and for a score
 *   outside 0 to 1
 */
export function toEntries(
  run: RecordedRun,
  numberOf: (task: string) => number,
  choice: ScoreChoice = {},
): { readonly score: string | null; readonly entries: ResultsFileEntry[] } {
  const score = chooseScore(run, choice);
  const entries = run.trials.map((trial) =>
    toEntry(run, trial, numberOf(trial.task), toReward(run, trial, score, choice)),
  );
  return { score, entries };
}

function chooseScore({ name, trials, mainScore }: RecordedRun, { score }: ScoreChoice): string | null {
  const names = [...new Set(trials.flatMap(({ scores }) => Object.keys(scores)))];
  const chosen = score ?? mainScore ?? (names.length === 1 ? names[0] : undefined);
  if (chosen !== undefined && names.includes(chosen)) return chosen;
  if (names.length === 0 && score === undefined) return null;
  const listed = names.slice(0, 20).join(', ');
  if (names.length === 0)
    throw malformedError(`${name} has no scores; leave out --score, or name the folder of its job or log`);
  const problem = chosen === undefined ? `${name} has several scores` : `${name} has no score ${chosen}`;
  throw malformedError(`${problem}; choose one of its own with --score: ${listed}`);
}

/** Returns the reward of a trial; null: not graded. */
function toReward(
  run: RecordedRun,
  trial: RecordedTrial,
  name: string | null,
  { threshold }: ScoreChoice,
): number | null {
  const score = name === null ? undefined : trial.scores[name];
  if (name === null || score === undefined || !Number.isFinite(score)) return null;
  if (threshold !== undefined) return score >= threshold ? 1 : 0;
  if (score >= 0 && score <= 1) return score;
  throw malformedError(
    `the score ${name} of ${run.name} is ${String(score)} for task ${trial.task}, and figures need 0 to 1; say with ` +
      '--threshold from where on a score counts as a success',
  );
}

function malformedError(sentence: string): ResultsError {
  return new ResultsError(ResultsProblem.Malformed, `${sentence}.`);
}

/** Longest name of a task in outputs, in characters. */
const MAX_NAME_CHARS = 200;
/** Largest figure of one trial; a larger one, or a negative one, is damaged and so unknown. */
const MAX_FIGURE = 1e12;

/** True if a figure is possible, or unknown. */
function isPlausible(figure: number | null | undefined): boolean {
  return figure === null || figure === undefined || (figure >= 0 && figure <= MAX_FIGURE);
}

function toEntry(run: RecordedRun, trial: RecordedTrial, taskId: number, reward: number | null): RecordedEntry {
  const { task, steps, turns, tools, messages } = trial;
  const tokens = trial.tokens !== null && Object.values(trial.tokens).every(isPlausible) ? trial.tokens : null;
  const costUsd = isPlausible(trial.costUsd) ? trial.costUsd : null;
  const durationMs = isPlausible(trial.durationMs) ? trial.durationMs : null;
  const isUngraded = reward === null && trial.outcome !== 'error' && trial.outcome !== 'agent_error';
  return {
    task_id: taskId,
    trial: trial.trial,
    reward: reward ?? 0,
    info: null,
    traj: [...messages],
    origin: { benchmark: run.format, taskId: task.slice(0, MAX_NAME_CHARS), domain: null },
    recorded: {
      outcome: isUngraded ? 'infrastructure_error' : trial.outcome,
      error: trial.error ?? (isUngraded ? 'the file has no score for this trial' : null),
      costUsd,
      steps,
      turns,
      durationMs,
      tools: [...tools],
      roles:
        tokens === null
          ? []
          : [
              {
                role: 'agent',
                calls: tokens.calls,
                cachedCalls: 0,
                extraAttempts: 0,
                truncatedReplies: 0,
                promptTokens: tokens.prompt,
                completionTokens: tokens.completion,
                cachedTokens: tokens.cached ?? 0,
                reasoningTokens: tokens.reasoning ?? 0,
                costUsd,
                latencyMs: null,
              },
            ],
    },
  };
}
