/** The body of `tauflow status`: one run, as far as its log, the server and its workers tell. */

import { formatUsd } from '../../results/document/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import type { CliContext } from '../context.ts';
import { findRun } from '../find-run.ts';
import { printJson } from '../print-report.ts';
import { haltedSentence } from '../run/follow.ts';
import { renderProgressLine } from '../terminal/progress.ts';
import { describePace, limitHint } from '../../temporal/client/index.ts';
import { printable } from '../terminal/style.ts';
import { stateAtRest, stateUnderWay, type RunState } from './state.ts';

export interface StatusFlags {
  readonly logDir: string;
  readonly json?: boolean;
  /** Follow it to its end. */
  readonly watch?: boolean;
}

export async function showStatus(runId: string, flags: StatusFlags, context: CliContext): Promise<void> {
  if (flags.watch === true) {
    const { watchRun } = await import('./watch-run.ts');
    await watchRun(runId, flags, context);
  }
  const options = { metrics: flags.json === true };
  const state = await findRun(runId, flags, context, {
    underWay: (run) => stateUnderWay(run, options),
    atRest: (run) => stateAtRest(run, options),
  });
  if (flags.json === true) {
    const { metrics, ...rest } = state;
    printJson({ ...(snakeKeys(rest) as object), metrics }, context);
  } else for (const line of renderState(state)) context.out(line);
}

/** Names that are listed; the rest are counted. */
const MOST_NAMES = 10;

export function renderState(state: RunState): string[] {
  const { planned, recorded, progress, waiting, taskQueues } = state;
  const rows: (readonly [name: string, text: string | null])[] = [
    ['run', state.runId],
    ['status', statusText(state)],
    ['recorded', recorded === null ? null : `${recorded} of ${planned ?? '?'} episodes`],
    ['episodes', episodesText(state)],
    ['open', state.open === null || state.open.length === 0 ? null : list(state.open)],
    ['cost', costText(state)],
    ['paused', haltedText(state)],
    ['progress', progress === null ? null : progressText(progress)],
    ...taskQueues.map(
      ({ taskQueue, provider, workers }) =>
        [
          'workers',
          `${workers.length === 0 ? 'nobody' : workers.join(', ')} on ${taskQueue}${provider === null ? '' : ` (calls of ${provider})`}`,
        ] as const,
    ),
    ...state.paces.map((pace) => ['limit', `${describePace(pace)}; ${limitHint(pace)}`] as const),
    ['waiting', waiting],
    ...state.failed
      .slice(0, MOST_NAMES)
      .map(({ episode, outcome, error }) => ['failed', `${episode}: ${printable(error ?? outcome)}`] as const),
    ['failed', state.failed.length > MOST_NAMES ? `and ${state.failed.length - MOST_NAMES} more` : null],
    ...state.warnings.map((warning) => ['warning', warning] as const),
  ];
  return rows.flatMap(([name, text]) => (text === null ? [] : [`${name.padEnd(9)} ${text}`]));
}

function statusText({ status, answered, paused, cancelRequested, taskQueues }: RunState): string {
  const remarks = [
    ...(paused === true ? ['paused'] : []),
    ...(cancelRequested ? ['to be cancelled'] : []),
    ...(answered === false
      ? [(taskQueues[0]?.workers.length ?? 0) === 0 ? 'no worker answers' : 'no answer in time']
      : []),
  ];
  return remarks.length === 0 ? status : `${status} (${remarks.join(', ')})`;
}

/** What a person has to see to before it can go on; null where nobody but a person has paused it. */
function haltedText({ runId, pausedFor }: RunState): string | null {
  return pausedFor === null ? null : `${haltedSentence(pausedFor)}, then: npx tauflow resume ${runId}`;
}

/** What is done of a run at rest is in its record; what is not is told where there is any. */
function episodesText({ open, pending, failed }: RunState): string | null {
  const parts = [
    ...(open === null || open.length === 0 ? [] : [`${open.length} open`]),
    ...(pending === null || pending === 0 ? [] : [`${pending} to come`]),
    ...(failed.length === 0 ? [] : [`${failed.length} cancelled or ended by infrastructure`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function costText({ status, knownCostUsd, maxCostUsd }: RunState): string | null {
  if (knownCostUsd === null || (status !== 'running' && maxCostUsd === null)) return null;
  return `${formatUsd(knownCostUsd)} so far${maxCostUsd === null ? '' : `, of a budget of ${formatUsd(maxCostUsd)}`}`;
}

function progressText(progress: NonNullable<RunState['progress']>): string {
  const now = Date.now();
  return renderProgressLine({ progress, startedAt: now, endedAtStart: progress.ended, uiUrl: null }, now);
}

function list(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
