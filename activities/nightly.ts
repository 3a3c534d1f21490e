/**
 * `compareRuns` and `alert`: what follows a scheduled sweep. A comparison that is made twice is the same; an alert whose
 * answer is lost is given again, with the same key.
 */

import { hostname } from 'node:os';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { compareScheduledRun } from '../src/results/compare/index.ts';
import { FailureType, type AlertInput, type CompareRunsInput, type RunComparison } from '../src/wire/index.ts';
import { AlertRefused, postAlert, runAlertCommand, type AlertMessage } from './alerts.ts';
import { withAttempts } from './attempts.ts';
import type { RunFolders } from './run-folder.ts';

export interface NightlyDeps {
  /** What alerts may use of this worker; absent: webhooks only, and no variable. */
  readonly alerts?: AlertPowers;
  readonly warn: (message: string) => void;
}

export interface AlertPowers {
  /** The worker's environment: addresses of webhooks by name, and what a command finds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if commands from schedules may be run on this machine. */
  readonly commands: boolean;
}

/** Of a comparison about an hour; of an alert until a service is back, or another worker was started. */
const MOST_ATTEMPTS = { compare: 60, alert: 8 };

export function createNightlyActivities(
  { alerts = { env: {}, commands: false }, warn }: NightlyDeps,
  folders: RunFolders,
) {
  return {
    /** Compares a night with the one before, and writes the comparison into its run log. */
    compareRuns: withAttempts(MOST_ATTEMPTS.compare, async (input: CompareRunsInput): Promise<RunComparison> => {
      const log = await folders.open(input.run);
      const comparison = await compareScheduledRun(input, warn);
      await log.writeComparison(comparison);
      const { verdict, sentence, run, baseline, errorsLeftOut } = comparison;
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
        sentence: input.problem === null ? sentence : `${sentence} (${input.problem})`,
      };
    }),

    /** Tells somebody of a night: posts its comparison, or runs a command. */
    alert: withAttempts(MOST_ATTEMPTS.alert, async ({ run, schedule, target, verdict }: AlertInput): Promise<void> => {
      const log = await folders.open(run);
      const comparison = await log.readComparison();
      const message: AlertMessage = { run, schedule, verdict, comparison, file: log.paths.comparison };
      const signal = Context.current().cancellationSignal;
      try {
        switch (target.kind) {
          case 'webhook':
            return await postAlert(target.url, message, signal);
          case 'webhook_from_env':
            return await postAlert(addressIn(target.variable, alerts), message, signal);
          case 'command':
            if (!alerts.commands) throw commandsNotAllowed();
            return await runAlertCommand(target.command, message, { env: alerts.env, warn, signal });
        }
      } catch (error) {
        if (!(error instanceof AlertRefused)) throw error;
        throw ApplicationFailure.create({
          type: FailureType.AlertFailed,
          message: error.message,
          nonRetryable: error.isFinal,
        });
      }
    }),
  };
}

/** A worker without the variable is not the only one: another may have it. */
function addressIn(variable: string, { env }: AlertPowers): string {
  const address = env[variable];
  if (address !== undefined && address !== '') return address;
  throw new AlertRefused(`the worker on ${hostname()} has no variable ${variable} with the webhook's address`, false);
}

function commandsNotAllowed(): AlertRefused {
  return new AlertRefused(
    `the worker on ${hostname()} runs no commands of schedules; start one with \`npx tauflow worker --allow-commands\``,
    false,
  );
}
