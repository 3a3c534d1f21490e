/** Tasks gained and lost, for people: a line each in the terminal, with the episodes below it in Markdown. Pure. */

import { FAULT_KINDS } from '../../analysis/index.ts';
import { isSuccess } from '../metrics/index.ts';
import { formatReward, formatRewards, formatShare } from '../document/index.ts';
import type { EpisodeLink, TaskFlip } from './flips.ts';

/** The rest are counted. */
const MOST_FLIPS = 20;

/** `task 3: 1.000 → 0.250 (1 1 1 1 → 1 0 0 0), the steps ran out, step 30 of b/task-3/trial-1` */
export function flipLines(flips: readonly TaskFlip[]): string[] {
  return shown(flips, (flip) => {
    const { episodesBefore, episodesAfter } = flip;
    const isRepeated = episodesBefore.length > 1 || episodesAfter.length > 1;
    const trials = isRepeated ? ` (${rewards(episodesBefore)} → ${rewards(episodesAfter)})` : '';
    return [changeWords(flip), trials, whereToLook(flip)].join('');
  });
}

function whereToLook({ fault, before, after, episodesBefore, episodesAfter }: TaskFlip): string {
  const episodes = after < before ? episodesAfter : episodesBefore;
  const failed =
    fault === null
      ? episodes.find((episode) => !isSuccess(episode.reward))
      : episodes.find(({ trial }) => trial === fault.trial);
  const episode = failed?.workflowId ?? null;
  if (fault === null) return episode === null ? '' : `, see ${episode}`;
  const { kind, step } = fault.fault;
  const place = [step === null ? null : `step ${String(step)}`, episode].filter((part) => part !== null).join(' of ');
  return `, ${FAULT_KINDS[kind]}${place === '' ? '' : `, ${place}`}`;
}

/** Markdown list items; the episodes of both runs are linked below each. */
export function flipItems(flips: readonly TaskFlip[], before: string, after: string): string[] {
  return shown(flips, (flip) => {
    const lines = [
      `${changeWords(flip)}${faultWords(flip)}`,
      `${before}: ${flip.episodesBefore.map(episodeWords).join('; ')}`,
      `${after}: ${flip.episodesAfter.map(episodeWords).join('; ')}`,
    ];
    return lines.join('\n  - ');
  });
}

function faultWords({ fault }: TaskFlip): string {
  if (fault === null) return '';
  const { step, sentence, kind } = fault.fault;
  const at = step === null ? '' : `, step ${String(step)}`;
  return ` — ${fault.runId}, trial ${String(fault.trial)}${at}: ${FAULT_KINDS[kind]} (${oneLine(sentence)})`;
}

/** `trial 0: 1 [b/task-3/trial-0](http://…) ([record](b/episodes/…))` */
function episodeWords({ trial, reward: won, outcome, workflowId, url, record }: EpisodeLink): string {
  const words = [`trial ${String(trial)}: ${formatReward(won)}`];
  if (outcome !== 'user_stop') words.push(`(${outcome})`);
  if (workflowId !== null) words.push(url === null ? workflowId : `[${workflowId}](${url})`);
  if (record !== null) words.push(`([record](${encodeURI(record)}))`);
  return words.join(' ');
}

function changeWords({ taskId, before, after }: TaskFlip): string {
  return `task ${String(taskId)}: ${formatShare(before)} → ${formatShare(after)}`;
}

function rewards(episodes: readonly EpisodeLink[]): string {
  return formatRewards(episodes.map((episode) => episode.reward));
}

function shown(flips: readonly TaskFlip[], words: (flip: TaskFlip) => string): string[] {
  const lines = flips.slice(0, MOST_FLIPS).map(words);
  const more = flips.length - lines.length;
  return more > 0 ? [...lines, `and ${String(more)} more`] : lines;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));
}
