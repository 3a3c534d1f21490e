/** What a report says of how much its figures are worth, as labelled lines. Pure. */

import { formatCount, formatInterval, formatShare } from '../document/index.ts';
import { isRagged } from '../metrics/index.ts';
import type { Line } from './lines.ts';
import type { Report } from './report.ts';

/** None without an episode that has a score. */
export function uncertaintyLines({ metrics }: Report): Line[] {
  const { uncertainty, errorsAsFailures } = metrics;
  const { wilson, flips, variance, detectable, trialsNeeded } = uncertainty;
  if (errorsAsFailures.episodes === 0) return [];
  const lines: Line[] = [];
  if (wilson !== null) {
    lines.push({
      name: isRagged(metrics) ? 'successes by Wilson' : 'pass^1 by Wilson',
      value: formatShare(errorsAsFailures.successes / errorsAsFailures.episodes),
      interval: formatInterval(wilson),
      meaning:
        `${percent(wilson.level)} interval if every episode were a draw of its own, n = ` +
        `${formatCount(errorsAsFailures.episodes)}; the others are over tasks`,
    });
  }
  lines.push({
    name: 'flip rate',
    value: formatShare(flips.rate),
    meaning:
      flips.disagreement === null
        ? 'no task has two trials'
        : `${String(flips.flipped)} of ${String(flips.tasks)} tasks solved in some trials and not in others; two ` +
          `trials of a task disagree in ${percent(flips.disagreement)} of cases`,
  });
  if (variance?.taskShare !== null && variance?.taskShare !== undefined) {
    lines.push({
      name: 'variance between tasks',
      value: percent(variance.taskShare),
      meaning:
        `${variance.betweenTasks.toFixed(3)} between tasks, ${variance.betweenTrials.toFixed(3)} between trials of ` +
        'one task: more trials lessen the latter alone',
    });
  }
  // With one trial a task all variance is taken to lie between trials.
  const atMost = variance === null ? 'at most: ' : '';
  lines.push({
    name: 'detectable difference',
    value: formatShare(detectable),
    meaning: `${atMost}the smallest from another such run that a comparison shows in 80 of 100 cases`,
  });
  for (const { difference, trials } of trialsNeeded) {
    if (trials === null) continue;
    lines.push({
      name: `trials to show ${String(difference)}`,
      value: formatCount(trials),
      meaning: `${atMost}per task, in each of two runs`,
    });
  }
  return lines;
}

function percent(value: number): string {
  return `${String(Math.round(value * 100))} %`;
}
