/** Decides gates on a run's episodes, or on the difference of two runs. Pure. */

import type { SweepPlan } from '../../benchmarks/index.ts';
import { UsageError } from '../../errors/index.ts';
import { boundedMeanInterval, bootstrapInterval, wilsonInterval, type Interval } from '../../stats/index.ts';
import { computeMetrics, groupByTask, scoredRows, spreadOfKnown, type Metrics } from '../metrics/index.ts';
import type { EpisodeRow } from '../../run-log/index.ts';
import { formatAmount, formatConfidence, formatMean, formatShare, formatUsd } from '../document/index.ts';
import { GATE_FIGURES, type Gate } from './parse.ts';

export interface GateResult {
  /** Text of the gate, as it was written. */
  readonly gate: string;
  /** True if the gate has passed; false also if the figure, or the interval that the gate needs, is unknown. */
  readonly isPassed: boolean;
  readonly value: number | null;
  /** 95 % confidence interval; null if the figure has none. */
  readonly interval: Interval | null;
  /** The figure in a sentence without a full stop. */
  readonly sentence: string;
}

interface Reading {
  /** Value of the figure; null: unknown, with the reason in `sentence`. */
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly reason?: string;
}

/** A difference of average rewards, `after − before`. */
interface RewardDifference {
  readonly delta: number | null;
  readonly interval: Interval | null;
}

/** Episodes that gates read. */
export interface GatedEpisodes {
  readonly rows: readonly EpisodeRow[];
  /** The difference for the figure `drop`; null if there is none. */
  readonly difference: RewardDifference | null;
}

/**
 * @param find returns the episodes of a condition (null: the run's own episodes), or null if the run does not have the
 *   condition
 */
export function evaluateGates(
  gates: readonly Gate[],
  find: (condition: string | null) => GatedEpisodes | null,
): GateResult[] {
  return gates.map((gate) => {
    const episodes = find(gate.condition);
    if (episodes === null)
      return decideGate(gate, unknownReading(`the run was not played under ${gate.condition ?? ''}`));
    return decideGate(gate, readFigure(gate, episodes));
  });
}

/**
 * @param hasBaseline true if the run will be compared with another
 * @throws UsageError for a gate that no run of this plan can pass
 */
export function requirePlanned(
  gates: readonly Gate[],
  { taskIds, numTrials, conditions = [] }: Omit<SweepPlan, 'shuffle'>,
  hasBaseline = false,
): void {
  for (const { text, task, condition, figure, trials } of gates) {
    const problem =
      task !== null && !taskIds.includes(task)
        ? `the run has no task ${task}`
        : trials > numTrials
          ? `it needs ${trials} trials, and the run has ${numTrials}`
          : condition !== null && !conditions.includes(condition)
            ? `the run is not played under the condition ${condition}`
            : figure === 'drop' && condition === null && !hasBaseline
              ? 'drop needs a condition, or two runs: tauflow compare'
              : null;
    if (problem !== null) throw new UsageError(`--fail-if '${text}' cannot be decided: ${problem}.`);
  }
}

function readFigure(gate: Gate, { rows: all, difference }: GatedEpisodes): Reading {
  if (gate.figure === 'drop') return readDrop(gate.task === null ? difference : null);
  const rows = gate.task === null ? all : all.filter(({ taskId }) => taskId === gate.task);
  if (rows.length === 0) return unknownReading('no episode has ended');
  const metrics = computeMetrics(rows);
  if (gate.trials > metrics.trials) {
    return unknownReading(`there are ${formatAmount(metrics.trials, 'trial')} instead of ${gate.trials}`);
  }
  return readMetric(gate, metrics, rows);
}

function readMetric({ figure, k, task }: Gate, metrics: Metrics, rows: readonly EpisodeRow[]): Reading {
  const { errorsAsFailures: all, uncertainty, userFaults, costs, outcomes } = metrics;
  switch (figure) {
    case 'pass^k': {
      const found = uncertainty.passHatK.find((each) => each.k === k);
      // The trials of one task are independent.
      const ofTask = task === null || k > 1 ? null : all.interval;
      return found === undefined ? NO_SCORE : { value: found.value, interval: found.interval ?? ofTask };
    }
    case 'reward': {
      const means = meansByTask(scoredRows(rows), ({ reward }) => reward);
      return all.averageReward === null ? NO_SCORE : { value: all.averageReward, interval: boundedMeanInterval(means) };
    }
    case 'suspects': {
      const { suspects, analyzed } = userFaults;
      if (analyzed === 0) return unknownReading('no conversation was checked');
      return { value: suspects / analyzed, interval: wilsonInterval(suspects, analyzed) };
    }
    case 'steps':
      return { value: metrics.steps?.mean ?? null, interval: overTasks(rows, ({ steps }) => steps) };
    case 'errors':
      return { value: (outcomes.infrastructure_error ?? 0) + (outcomes.error ?? 0), interval: null };
    case 'cost':
      return { value: costs.totalUsd, interval: null, reason: NO_PRICE };
    case 'cost per episode':
      return { value: costs.perEpisodeUsd, interval: overTasks(rows, ({ costUsd }) => costUsd), reason: NO_PRICE };
    case 'cost per success':
      return { value: costs.perSuccessUsd, interval: null, reason: 'a price is not known, or nothing succeeded' };
    case 'drop':
      return unknownReading('there is nothing to compare with');
  }
}

const NO_PRICE = 'a price is not known';

function unknownReading(reason: string): Reading {
  return { value: null, interval: null, reason };
}

const NO_SCORE = unknownReading('no episode has a score');

function readDrop(difference: RewardDifference | null): Reading {
  if (difference === null || difference.delta === null) return unknownReading('there is nothing to compare with');
  const { delta, interval } = difference;
  return {
    value: 0 - delta,
    interval: interval && { low: 0 - interval.high, high: 0 - interval.low, level: interval.level },
  };
}

function overTasks(rows: readonly EpisodeRow[], figure: (row: EpisodeRow) => number | null): Interval | null {
  return bootstrapInterval(meansByTask(rows, figure));
}

function meansByTask(rows: readonly EpisodeRow[], figure: (row: EpisodeRow) => number | null): number[] {
  const tasks = [...groupByTask(rows)].sort(([a], [b]) => a - b);
  return tasks.flatMap(([, trials]) => spreadOfKnown(trials.map(figure))?.mean ?? []);
}

/** Tolerance: a figure this close to its bound is equal to it. */
const TIE = 1e-9;

function decideGate(gate: Gate, { value, interval, reason = 'not known' }: Reading): GateResult {
  const { text, certainty, comparison, bound } = gate;
  const given = { gate: text, value, interval };
  if (value === null) return { ...given, isPassed: false, sentence: `${nameFigure(gate)} is unknown: ${reason}` };
  if (certainty !== null && interval === null) {
    const sentence = `${nameFigure(gate)} is ${formatValue(gate, value)}, and its interval is unknown: it needs two tasks`;
    return { ...given, isPassed: false, sentence };
  }
  const isBelow = comparison.startsWith('<');
  const probe =
    certainty === null || interval === null
      ? value
      : isBelow === (certainty === 'surely')
        ? interval.high
        : interval.low;
  const beyond = isBelow ? bound - probe : probe - bound;
  const isFailed = comparison.endsWith('=') ? beyond >= -TIE : beyond > TIE;
  return { ...given, isPassed: !isFailed, sentence: describeReading(gate, value, interval) };
}

/** Describes a figure: `pass^1 is 0.700 (95 % CI 0.412 to 0.913, which includes 0.8)`. */
function describeReading(gate: Gate, value: number, interval: Interval | null): string {
  const figure = `${nameFigure(gate)} is ${formatValue(gate, value)}`;
  if (interval === null) return figure;
  const { low, high } = interval;
  const isOpen = gate.certainty === null && low < high && low <= gate.bound && gate.bound <= high;
  const bounds = formatConfidence(interval, (end) => formatValue(gate, end));
  return `${figure} (${bounds}${isOpen ? `, which includes ${formatValue(gate, gate.bound)}` : ''})`;
}

function nameFigure({ figure, k, task, condition }: Gate): string {
  const where = task === null ? (condition ?? '') : `task ${task}`;
  return `${where === '' ? '' : `${where}: `}${figure === 'pass^k' ? `pass^${k}` : figure}`;
}

function formatValue({ figure }: Gate, value: number): string {
  switch (GATE_FIGURES[figure].unit) {
    case 'share':
      return formatShare(value);
    case 'usd':
      return formatUsd(value);
    case 'count':
      return formatMean(value);
  }
}
