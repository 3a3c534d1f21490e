/** A report as one JSON document, for `--json` and `metrics.json`: field names in snake_case, figures by k. */

import { episodeName } from '../../wire/index.ts';
import { snakeKeys } from '../log/index.ts';
import type { PassHat, RewardReading } from '../metrics/index.ts';
import type { Report } from './report.ts';

/** The aggregates alone, as `metrics.json` has them. */
export function metricsToJson(report: Report): object {
  const { subject, metrics, judge, notes, unfinished, leaderboardRow, remarks, problems, missing } = report;
  const { errorsAsFailures, infrastructureErrorsLeftOut, withoutSuspects, successWithinTurns, costs, ...rest } =
    metrics;
  return snakeKeys({
    runId: subject.runId,
    variants: subject.variants,
    averageReward: errorsAsFailures.averageReward,
    /** What the tasks give for nothing, and at most; null where no pack was there to be audited. */
    floor: notes?.floor ?? null,
    ceiling: notes?.ceiling ?? null,
    /** k → the figure itself; the readings below have it with its n. */
    passHatK: Object.fromEntries(errorsAsFailures.passHatK.map(({ k, value }) => [String(k), value])),
    successWithinTurns: Object.fromEntries(successWithinTurns.map(({ k, within }) => [String(k), within])),
    successInExactlyTurns: Object.fromEntries(successWithinTurns.map(({ k, exactly }) => [String(k), exactly])),
    ...rest,
    errorsAsFailures: reading(errorsAsFailures),
    infrastructureErrorsLeftOut: reading(infrastructureErrorsLeftOut),
    withoutSuspects: reading(withoutSuspects),
    planned: subject.planned,
    unfinished,
    costs,
    judge,
    leaderboardRow,
    remarks,
    problems,
    missing: missing.map(episodeName),
  }) as object;
}

/** The whole report, per-task rows included. */
export function reportToJson(report: Report): object {
  return {
    subject: snakeKeys(report.subject),
    metrics: metricsToJson(report),
    tasks: snakeKeys(report.tasks),
    task_notes: snakeKeys(report.notes),
  };
}

function reading({ passHatK, ...rest }: RewardReading) {
  return { ...rest, passHatK: passHatK.map((passHat: PassHat) => ({ ...passHat })) };
}
