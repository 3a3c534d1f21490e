/** What a report says of costs, calls and latencies, as labelled lines and a table. Pure. */

import { formatCount, formatDuration, formatUsd } from '../document/index.ts';
import type { CostSummary, RoleMeans, SupersededCosts } from '../metrics/index.ts';
import { episodes, type Line } from './lines.ts';
import type { Report } from './report.ts';
import type { RoleFigures } from '../log/index.ts';

/** What the run cost: the whole first, then each role. */
export function costLines({ metrics: { costs, superseded }, judge }: Report): Line[] {
  if (costs.roles.length === 0 && costs.unpriced > 0) {
    return [{ name: 'cost', value: 'not known', meaning: 'a results file does not tell; a run log does' }];
  }
  const known = costs.totalUsd === null ? `≥ ${formatUsd(costs.knownUsd)}` : formatUsd(costs.totalUsd);
  const total = costs.unpriced > 0 && costs.knownUsd === 0 ? 'not known' : known;
  const lines: Line[] = [
    { name: 'cost', value: total, meaning: modelCalls(costs) },
    { name: 'cost per episode', value: formatUsd(costs.perEpisodeUsd), meaning: 'mean over all episodes' },
    { name: 'cost per success', value: formatUsd(costs.perSuccessUsd), meaning: 'the whole cost over the successes' },
  ];
  for (const role of costs.roles) {
    const cached = role.cachedTokens > 0 ? ` (${formatCount(role.cachedTokens)} cached)` : '';
    lines.push({
      name: `cost of ${role.role}`,
      value: formatUsd(role.costUsd),
      meaning:
        `${formatCount(role.calls)} calls, ${formatCount(role.promptTokens)} tokens in${cached}, ` +
        `${formatCount(role.completionTokens)} out${cutAtLimit(role)}`,
    });
  }
  if (superseded.episodes > 0) lines.push(supersededLine(superseded));
  if (judge !== null) {
    lines.push({
      name: 'cost of judge',
      value: formatUsd(judge.cost_usd),
      meaning:
        `on top: ${formatCount(judge.calls)} calls over ${episodes(judge.episodes)} that failed, ` +
        `${formatCount(judge.prompt_tokens)} tokens in, ${formatCount(judge.completion_tokens)} out`,
    });
  }
  return lines;
}

function supersededLine({ episodes: replaced, knownUsd, costUsd }: SupersededCosts): Line {
  return {
    name: 'cost of replaced episodes',
    value: costUsd === null ? `≥ ${formatUsd(knownUsd)}` : formatUsd(costUsd),
    meaning: `on top: ${episodes(replaced)} that ran again, in no other figure`,
  };
}

/** What an episode takes of a model, role by role and in all; null where calls are not known. */
export function roleTable({ metrics: { callsByRole, costs } }: Report): { head: string[]; rows: string[][] } | null {
  if (callsByRole.length === 0) return null;
  const total = (figure: (means: RoleMeans) => number) => callsByRole.reduce((sum, means) => sum + figure(means), 0);
  const latencyMs = costs.roles.reduce((sum, role) => sum + role.latencyMs, 0);
  const all: RoleMeans = {
    role: 'all',
    callsPerEpisode: total((means) => means.callsPerEpisode),
    promptTokensPerEpisode: total((means) => means.promptTokensPerEpisode),
    completionTokensPerEpisode: total((means) => means.completionTokensPerEpisode),
    costPerEpisodeUsd: costs.perEpisodeUsd,
    latencyPerEpisodeMs: total((means) => means.latencyPerEpisodeMs),
    latencyPerCallMs: costs.calls === 0 ? null : latencyMs / costs.calls,
  };
  return {
    head: ['per episode', 'calls', 'tokens in', 'out', 'cost', 'latency', 'a call'],
    rows: [...callsByRole, all].map((means) => [
      means.role,
      means.callsPerEpisode.toFixed(1),
      formatCount(Math.round(means.promptTokensPerEpisode)),
      formatCount(Math.round(means.completionTokensPerEpisode)),
      formatUsd(means.costPerEpisodeUsd),
      formatDuration(means.latencyPerEpisodeMs),
      formatDuration(means.latencyPerCallMs),
    ]),
  };
}

/** What the strategy counted. */
export function countLines({ metrics: { counts, episodes, cancelled } }: Report): Line[] {
  return Object.entries(counts).map(([name, sum]) => ({
    name: name.replaceAll('_', ' '),
    value: formatCount(sum),
    meaning: `${(sum / (episodes + cancelled)).toFixed(2)} per episode`,
  }));
}

function cutAtLimit({ truncatedReplies }: RoleFigures): string {
  return truncatedReplies === 0 ? '' : `, ${formatCount(truncatedReplies)} cut at the limit on tokens`;
}

function modelCalls({ calls, cachedCalls, extraAttempts }: CostSummary): string {
  const found = cachedCalls === 0 ? '' : `, ${formatCount(cachedCalls)} of them answered by the response cache`;
  return `${formatCount(calls)} model calls${found}${again(extraAttempts)}`;
}

function again(extraAttempts: number): string {
  return extraAttempts === 0 ? '' : `, ${formatCount(extraAttempts)} of them tried again`;
}
