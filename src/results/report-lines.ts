/** The report's aggregates as labelled lines: one wording for the terminal and for Markdown. */

import type { CostSummary, SupersededCosts } from './costs.ts';
import { count, duration, meanCount, share, usd } from './figures.ts';
import { LEADERBOARD_KS } from './leaderboard.ts';
import type { RewardReading } from './metrics.ts';
import type { RoleMeans } from './role-calls.ts';
import type { PassHat } from './pass-hat-k.ts';
import type { Report, ReportSubject } from './report.ts';
import type { Spread } from './turns.ts';

/** A name, a figure, and what the figure is. */
export interface Line {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** Whether there is anything to say of rewards: what was only decided has none. */
export function hasScores({ metrics }: Report): boolean {
  return metrics.decided === 0 || metrics.decided < metrics.episodes;
}

/** The figures of the rewards. */
export function aggregateLines({ metrics }: Report): Line[] {
  const { errorsAsFailures: all, infrastructureErrorsLeftOut: blameless } = metrics;
  const lines: Line[] = [
    {
      name: 'average reward',
      value: share(all.averageReward),
      meaning: `${String(all.successes)} of ${episodes(all.episodes)} succeeded, errors counted as failures`,
    },
    ...shownPassHats(all).map((passHat) => ({
      name: `pass^${String(passHat.k)}`,
      value: share(passHat.value),
      meaning: passHatMeaning(passHat),
    })),
  ];
  const score = metrics.overallScore;
  lines.push({
    name: 'overall score',
    value: share(score?.value ?? null),
    meaning: score === null ? 'no episode has ended' : `mean of ${score.ks.map((k) => `pass^${String(k)}`).join(', ')}`,
  });
  if (blameless.episodes !== all.episodes) {
    lines.push({
      name: 'average reward, infrastructure errors left out',
      value: share(blameless.averageReward),
      meaning: `${String(blameless.successes)} of ${episodes(blameless.episodes)} succeeded`,
    });
    for (const passHat of shownPassHats(blameless)) {
      lines.push({
        name: `pass^${String(passHat.k)}, infrastructure errors left out`,
        value: share(passHat.value),
        meaning: passHatMeaning(passHat),
      });
    }
  }
  for (const k of LEADERBOARD_KS) {
    const turn = metrics.successWithinTurns.find((entry) => entry.k === k);
    lines.push({
      name: `success within ${String(k)} turn${k === 1 ? '' : 's'}`,
      value: share(turn?.within ?? null),
      meaning: `share of episodes that succeeded with the agent speaking at most ${k === 1 ? 'once' : `${String(k)} times`}`,
    });
  }
  lines.push(
    spreadLine('steps to success', metrics.stepsToSuccess, 'environment steps of the successful episodes'),
    spreadLine('success turn', metrics.successTurn, 'user turn in which the successful episodes ended'),
  );
  return lines;
}

/** What the run cost: the whole first, then each role. */
export function costLines({ metrics: { costs, superseded } }: Report): Line[] {
  if (costs.roles.length === 0 && costs.unpriced > 0) {
    return [{ name: 'cost', value: 'not known', meaning: 'a results file does not tell; a run log does' }];
  }
  const known = costs.totalUsd === null ? `≥ ${usd(costs.knownUsd)}` : usd(costs.totalUsd);
  const total = costs.unpriced > 0 && costs.knownUsd === 0 ? 'not known' : known;
  const lines: Line[] = [
    { name: 'cost', value: total, meaning: modelCalls(costs) },
    { name: 'cost per episode', value: usd(costs.perEpisodeUsd), meaning: 'mean over all episodes' },
    { name: 'cost per success', value: usd(costs.perSuccessUsd), meaning: 'the whole cost over the successes' },
  ];
  for (const role of costs.roles) {
    const cached = role.cachedTokens > 0 ? ` (${count(role.cachedTokens)} cached)` : '';
    lines.push({
      name: `cost of ${role.role}`,
      value: usd(role.costUsd),
      meaning:
        `${count(role.calls)} calls, ${count(role.promptTokens)} tokens in${cached}, ` +
        `${count(role.completionTokens)} out`,
    });
  }
  if (superseded.episodes > 0) lines.push(supersededLine(superseded));
  return lines;
}

function supersededLine({ episodes: replaced, knownUsd, costUsd }: SupersededCosts): Line {
  return {
    name: 'cost of replaced episodes',
    value: costUsd === null ? `≥ ${usd(knownUsd)}` : usd(costUsd),
    meaning: `on top: ${episodes(replaced)} that ran again, in no other figure`,
  };
}

/** What an episode takes of a model, role by role and in all; null where calls are not known. */
export function roleTable({ metrics: { callsByRole, costs } }: Report): { head: string[]; rows: string[][] } | null {
  if (callsByRole.length === 0) return null;
  const total = (figure: (means: RoleMeans) => number) => callsByRole.reduce((sum, means) => sum + figure(means), 0);
  const all: RoleMeans = {
    role: 'all',
    callsPerEpisode: total((means) => means.callsPerEpisode),
    promptTokensPerEpisode: total((means) => means.promptTokensPerEpisode),
    completionTokensPerEpisode: total((means) => means.completionTokensPerEpisode),
    costPerEpisodeUsd: costs.perEpisodeUsd,
  };
  return {
    head: ['per episode', 'calls', 'tokens in', 'out', 'cost'],
    rows: [...callsByRole, all].map((means) => [
      means.role,
      means.callsPerEpisode.toFixed(1),
      count(Math.round(means.promptTokensPerEpisode)),
      count(Math.round(means.completionTokensPerEpisode)),
      usd(means.costPerEpisodeUsd),
    ]),
  };
}

/** What the strategy counted. */
export function countLines({ metrics: { counts, episodes, cancelled } }: Report): Line[] {
  return Object.entries(counts).map(([name, sum]) => ({
    name: name.replaceAll('_', ' '),
    value: count(sum),
    meaning: `${(sum / (episodes + cancelled)).toFixed(2)} per episode`,
  }));
}

/** What was run, as one line: `retail (test), tool-calling, gpt-4o, no policy; user gpt-4o (llm); pack shop (1a2b…)`. */
export function subjectLine(subject: ReportSubject): string {
  const agent = [
    subject.env === null ? null : `${subject.env}${subject.split === null ? '' : ` (${subject.split})`}`,
    subject.strategy,
    subject.agentModel,
    ...subject.variants,
  ];
  const user = subject.userModel === null ? null : `user ${subject.userModel} (${subject.userStrategy ?? 'llm'})`;
  const pack = subject.pack === null ? null : `pack ${subject.pack}`;
  return [agent.filter((part) => part !== null).join(', '), user, pack].filter(Boolean).join('; ');
}

/** How much was run and how long it took: `115 tasks × 4 trials: 460 episodes in 12 min 5 s`. */
export function extentLine({ metrics, subject }: Report): string {
  const tasks = `${String(metrics.tasks)} task${metrics.tasks === 1 ? '' : 's'}`;
  const trials = `${String(metrics.trials)} trial${metrics.trials === 1 ? '' : 's'}`;
  const took =
    subject.startedAt === null || subject.endedAt === null
      ? ''
      : ` in ${duration(Date.parse(subject.endedAt) - Date.parse(subject.startedAt))}`;
  return `${tasks} × ${trials}: ${episodes(metrics.episodes)}${took}`;
}

/** pass^1 … pass^4 and, where there were more trials, the last. */
function shownPassHats(reading: RewardReading): readonly PassHat[] {
  const last = reading.passHatK.at(-1);
  const shown = reading.passHatK.filter((passHat) => passHat.k <= 4);
  return last !== undefined && last.k > 4 ? [...shown, last] : shown;
}

function passHatMeaning({ k, tasks, trials }: PassHat): string {
  const what = k === 1 ? 'one trial succeeds' : `${String(k)} trials of a task all succeed`;
  const n = trials === null ? 'n differs by task' : `n = ${String(trials)}`;
  return `${what}: mean of C(c,k)/C(n,k), k = ${String(k)}, ${n}, ${String(tasks)} task${tasks === 1 ? '' : 's'}`;
}

function spreadLine(name: string, spread: Spread | null, what: string): Line {
  if (spread === null) return { name, value: '—', meaning: what };
  const { median, min, max } = spread;
  return {
    name,
    value: meanCount(spread.mean),
    meaning: `mean ${what}; median ${meanCount(median)}, ${String(min)} to ${String(max)}`,
  };
}

function episodes(n: number): string {
  return `${count(n)} episode${n === 1 ? '' : 's'}`;
}

function modelCalls({ calls, cachedCalls, extraAttempts }: CostSummary): string {
  const found = cachedCalls === 0 ? '' : `, ${count(cachedCalls)} of them answered by the response cache`;
  return `${count(calls)} model calls${found}${again(extraAttempts)}`;
}

function again(extraAttempts: number): string {
  return extraAttempts === 0 ? '' : `, ${count(extraAttempts)} of them tried again`;
}
