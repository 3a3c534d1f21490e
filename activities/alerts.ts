/**
 * The activities after a scheduled sweep: `compareRuns` compares it with its baseline; `alert` posts the comparison to
 * a webhook or passes it to a command. Comparing again gives the same result. An alert whose answer is lost is sent
 * again with the same key.
 */

import { ApplicationFailure, Context } from '@temporalio/activity';
import { AlertError, compareScheduledRun, sendAlert, type AlertResources } from '../src/results/compare/index.ts';
import { describeFailures } from '../src/results/gates/index.ts';
import { FailureType, type AlertInput, type CompareRunsInput, type RunComparison } from '../src/evaluation/index.ts';
import { withAttempts } from './attempts.ts';
import type { RunFolders } from '../src/run-log/store/index.ts';
import { COMPARISON } from '../src/run-log/store/index.ts';

export interface AlertDeps {
  /** Environment and permission for alerts on this worker; absent: only webhooks, without variables. */
  readonly alerts?: AlertResources;
  readonly warn: (message: string) => void;
}

/**
 * Most attempts: a comparison is tried for about an hour, an alert until a service is back or another worker has
 * started.
 */
const MOST_ATTEMPTS = { compare: 60, alert: 8 };

export function createAlertActivities({ alerts = { env: {}, commands: false }, warn }: AlertDeps, folders: RunFolders) {
  return {
    /** Compares a scheduled run with its baseline, and writes the comparison into its run log. */
    compareRuns: withAttempts(MOST_ATTEMPTS.compare, async (input: CompareRunsInput): Promise<RunComparison> => {
      const comparison = await compareScheduledRun(input, await folders.beside(input.run), warn);
      await folders.use(input.run, COMPARISON, (log) => log.writeComparison(comparison));
      const { verdict, sentence, run, baseline, errorsLeftOut, gates } = comparison;
      const failures = describeFailures(gates);
      const { delta, interval, tasks } = errorsLeftOut;
      return {
        verdict,
        runId: run.runId,
        baseline: baseline?.runId ?? null,
        averageReward: run.averageReward,
        costUsd: run.costUsd,
        delta,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        tasks,
        unfinished: run.unfinished,
        sentence: [input.problem === null ? sentence : `${sentence} (${input.problem})`, ...failures].join('; '),
        failsGate: failures.length > 0 || undefined,
      };
    }),

    /** Posts the comparison of a scheduled run, or runs a command with it. */
    alert: withAttempts(MOST_ATTEMPTS.alert, async ({ run, schedule, target, verdict }: AlertInput): Promise<void> => {
      const signal = Context.current().cancellationSignal;
      try {
        // For a run in a store, the file exists while the command runs.
        await folders.use(run, COMPARISON, async (log) => {
          const comparison = await log.readComparison();
          const message = { run, schedule, verdict, comparison, file: log.paths.comparison };
          await sendAlert(target, message, { ...alerts, warn, signal });
        });
      } catch (error) {
        if (!(error instanceof AlertError)) throw error;
        throw ApplicationFailure.create({
          type: FailureType.AlertFailed,
          message: error.message,
          nonRetryable: error.isFinal,
        });
      }
    }),
  };
}
