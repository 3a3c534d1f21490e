/** Simulator studies: runs of one agent that differ only in the model of the simulated user or of the judge. Pure. */

import { flipRate, measureAgreement, signFlipTest, type Agreement } from '../../stats/index.ts';
import { trialsFor, type Difference, type TaskPair } from '../metrics/index.ts';
import {
  NONE,
  figures,
  formatAmount,
  formatConfidence,
  formatCount,
  formatPValue,
  formatShare,
  formatSigned,
  paragraph,
  section,
  table,
  type Block,
  type Figure,
} from '../document/index.ts';
import type { SettingDifference } from './runs.ts';

const MODEL = /^(?:user|judge)_model\.model$/;
const OF_SIMULATOR =
  /^(?:(?:user|judge)_model\.|max_completion_tokens\.(?:user|judge)\b|served models$|repeat_suspect$)/;

/** @returns the models of the two runs: `gpt-4o`, `gpt-6-luna`; null if anything else differs, or no model does */
export function findSimulators(settings: readonly SettingDifference[]): readonly [string, string] | null {
  const differing = settings.filter(({ concern }) => concern !== 'sample');
  const models = differing.filter(({ name }) => MODEL.test(name));
  if (models.length === 0 || !differing.every(({ name }) => OF_SIMULATOR.test(name))) return null;
  const [before, after] = [0, 1].map((place) => models.map(({ values }) => values[place] ?? NONE).join(' + '));
  return [before ?? NONE, after ?? NONE];
}

export interface SimulatorStudy {
  readonly simulators: readonly [string, string];
  readonly agreement: Agreement;
  /** Probability that two trials of a task agree within the earlier run; null unless tasks have two trials. */
  readonly withinBefore: number | null;
  readonly withinAfter: number | null;
  /** Tasks that only one of the runs solves in half of the trials or more. */
  readonly flipped: readonly number[];
  /** Number of trials per task in each run that would show a difference; null: no number would. */
  readonly trialsNeeded: readonly { readonly difference: number; readonly trials: number | null }[];
}

const DIFFERENCES = [0.1, 0.05, 0.03];

/** @returns null for runs that are not such a study, or have no common task */
export function studySimulators(
  settings: readonly SettingDifference[],
  pairs: readonly TaskPair[],
): SimulatorStudy | null {
  const simulators = findSimulators(settings);
  const agreement = measureAgreement(pairs);
  if (simulators === null || agreement === null) return null;
  const within = (side: (pair: TaskPair) => { rate: number; trials: number }) => {
    const counts = pairs.map(side).map(({ rate, trials }) => ({ trials, successes: Math.round(rate * trials) }));
    const { disagreement } = flipRate(counts);
    return disagreement === null ? null : 1 - disagreement;
  };
  return {
    simulators,
    agreement,
    withinBefore: within(({ before, trialsBefore }) => ({ rate: before, trials: trialsBefore })),
    withinAfter: within(({ after, trialsAfter }) => ({ rate: after, trials: trialsAfter })),
    flipped: pairs.filter(({ before, after }) => before >= 0.5 !== after >= 0.5).map(({ taskId }) => taskId),
    trialsNeeded: DIFFERENCES.map((difference) => ({ difference, trials: trialsFor(pairs, difference) })),
  };
}

/** Returns the section on a study; empty without one. */
export function studySection(study: SimulatorStudy | null, { delta, interval }: Difference): Block {
  if (study === null) return section('Simulator study');
  const [before, after] = study.simulators;
  const { withinBefore, withinAfter, flipped } = study;
  const within =
    withinBefore === null || withinAfter === null
      ? 'no task has two trials in each'
      : `two trials of one run: ${formatShare(withinBefore)} and ${formatShare(withinAfter)}`;
  const list: Figure[] = [
    {
      name: 'bridge',
      value: formatSigned(delta),
      meaning: `added to a score with ${before}, it compares with scores with ${after} (${formatConfidence(interval)})`,
    },
    {
      name: 'agreement',
      value: formatShare(study.agreement.share),
      meaning: `a trial of each run agrees, mean over tasks; ${within}`,
    },
    {
      name: 'kappa',
      value: formatShare(study.agreement.kappa),
      meaning: "Cohen's: agreement beyond that of unrelated tasks; 1 is perfect",
    },
    {
      name: 'tasks that flip',
      value: String(flipped.length),
      meaning: `solved in half of the trials or more in one run only${flipped.length === 0 ? '' : `: ${flipped.join(', ')}`}`,
    },
    ...study.trialsNeeded.map(({ difference, trials }) => ({
      name: `trials to show ${String(difference)}`,
      value: trials === null ? 'more tasks' : formatCount(trials),
      meaning: 'per task, in each run, with 80 % power',
    })),
  ];
  return section(`Simulator study: ${before} → ${after}`, figures(list));
}

/** The two runs of one agent, in a study of several agents. */
export interface StudiedAgent {
  readonly before: string;
  readonly after: string;
  readonly difference: Difference;
  readonly study: SimulatorStudy;
  readonly pairs: readonly TaskPair[];
}

/** Two agents, named by their first runs, whose order changes with the simulator. */
interface Reversal {
  readonly agents: readonly [string, string];
  /** p of a paired test over tasks whether the simulator changes the agents' difference; null without a common task. */
  readonly p: number | null;
}

export interface AgentsStudy {
  readonly simulators: readonly [string, string];
  readonly agents: readonly Omit<StudiedAgent, 'pairs'>[];
  readonly reversals: readonly Reversal[];
}

/** @returns null if no two runs are a study; studies of other models than the first study's are left out */
export function studyAgents(studied: readonly StudiedAgent[]): AgentsStudy | null {
  const [first] = studied;
  if (first === undefined) return null;
  const { simulators } = first.study;
  const agents = studied.filter(({ study }) => study.simulators.join() === simulators.join());
  const reversals = agents.flatMap((one, place) =>
    agents.slice(place + 1).flatMap((other) => {
      const gap = (side: 'before' | 'after') => (one.difference[side] ?? 0) - (other.difference[side] ?? 0);
      return gap('before') * gap('after') < 0 ? [toReversal(one, other)] : [];
    }),
  );
  return { simulators, agents: agents.map(({ pairs: _, ...agent }) => agent), reversals };
}

function toReversal(one: StudiedAgent, other: StudiedAgent): Reversal {
  const changes = new Map(other.pairs.map(({ taskId, before, after }) => [taskId, after - before]));
  const differences = one.pairs.flatMap(({ taskId, before, after }) => {
    const change = changes.get(taskId);
    return change === undefined ? [] : [after - before - change];
  });
  return { agents: [one.before, other.before], p: differences.length === 0 ? null : signFlipTest(differences).p };
}

/** Returns the section on a study; empty without one. */
export function agentsStudySection(studied: AgentsStudy | null): Block {
  if (studied === null) return section('Simulator study');
  const { simulators, agents, reversals } = studied;
  const columns = ['Runs', 'Difference', 'Agreement', 'Kappa', 'Tasks that flip'].map((head, at) => ({
    head,
    align: at === 0 ? ('left' as const) : ('right' as const),
  }));
  const rows = agents.map(({ before, after, difference, study: { agreement, flipped } }) => [
    `${before} → ${after}`,
    `${formatSigned(difference.delta)} (${formatConfidence(difference.interval)})`,
    formatShare(agreement.share),
    formatShare(agreement.kappa),
    String(flipped.length),
  ]);
  const order =
    reversals.length === 0
      ? [`The order of the ${formatAmount(agents.length, 'agent')} is the same with both.`]
      : reversals.map(
          ({ agents: [one, other], p }) =>
            `The order of ${one} and ${other} changes${p === null ? '' : `; the simulator changes their difference with ${formatPValue(p)}`}.`,
        );
  return section(
    `Simulator study: ${simulators.join(' → ')}`,
    table(columns, rows),
    paragraph(...(agents.length < 2 ? [] : order)),
  );
}
