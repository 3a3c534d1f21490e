/** The body of `tauflow schedule show`. */

import Table from 'cli-table3';
import { NONE, formatShare, formatUsd, formatSigned } from '../../results/document/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import { findPollers, readSchedule, waitingReason } from '../../temporal/client/index.ts';
import { providersOf } from '../../wire/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { colorsOf, printable, styleOf } from '../terminal/style.ts';
import { COMPACT } from '../terminal/render.ts';
import { withTemporal } from './connection.ts';
import { lastNights, type NightRow } from './nights.ts';
import { renderSchedule, scheduleToJson } from './render.ts';
import type { ScheduleFlags } from './steer.ts';

interface ShowFlags extends ScheduleFlags {
  readonly nights: string;
}

export async function showSchedule(name: string, flags: ShowFlags, context: CliContext): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(flags.nights)) {
    throw new UsageError('--nights must be a whole number from 1 to 9999.');
  }
  await withTemporal(context, 'find', async ({ client }) => {
    const state = await readSchedule(client, name);
    const { input } = state;
    const warn = (sentence: string) => context.log(`warning: ${sentence}`);
    const nights = await lastNights(client, input, Number(flags.nights), warn);
    if (flags.json === true) {
      printJson({ ...scheduleToJson(state), nights: snakeKeys(nights) }, context);
      return;
    }
    for (const line of renderSchedule(state, context.cwd)) context.out(line);
    context.out('');
    context.out(nights.length === 0 ? 'no night yet' : renderNights(nights, context));
    const waiting = waitingReason(await findPollers(client, input.sweep.queues, providersOf(input.sweep.config)));
    if (waiting !== null) warn(waiting);
  });
}

function renderNights(nights: readonly NightRow[], context: CliContext): string {
  const colors = colorsOf(styleOf(context.stdout, context.env));
  const table = new Table({
    head: ['Run', 'Reward', 'pass^1', 'Cost', 'Difference (95 %)', 'Verdict', 'Unfinished'].map(colors.bold),
    colAligns: ['left', 'right', 'right', 'right', 'left', 'left', 'left'],
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  for (const night of nights) {
    table.push([
      night.runId,
      formatShare(night.averageReward),
      formatShare(night.passHat1),
      formatUsd(night.costUsd),
      differenceText(night),
      paint(night.verdict, colors),
      night.unfinished ?? NONE,
    ]);
  }
  const alerts = nights.flatMap(({ runId, alert }) => {
    if (alert === null || alert.kind === 'none') return [];
    return alert.kind === 'sent'
      ? [`alert of ${runId}: sent`]
      : [colors.yellow(`alert of ${runId}: not sent, ${printable(alert.message)}`)];
  });
  return [table.toString(), ...alerts].join('\n');
}

function differenceText({ delta, low, high }: NightRow): string {
  if (delta === null) return NONE;
  return low === null || high === null
    ? formatSigned(delta)
    : `${formatSigned(delta)} (${formatSigned(low)} to ${formatSigned(high)})`;
}

function paint(verdict: string, colors: ReturnType<typeof colorsOf>): string {
  const words = verdict.replaceAll('_', ' ');
  if (verdict === 'regression' || verdict === 'failed') return colors.red(words);
  if (verdict === 'improvement') return colors.green(words);
  return verdict === 'first' || verdict === 'no_difference' ? words : colors.yellow(words);
}
