/** Converts a run for the writers of benchmarks' results files. */

import { FORM_OF_STRATEGY, asToolCalls, type Message } from '../../agents/index.ts';
import type { ExportedEpisode, LeaderboardFigures } from '../../benchmarks/contents.ts';
import { gradeOfRecord, type EpisodeRecord } from '../../run-log/index.ts';
import { restoreRecord } from '../regrade/index.ts';
import type { Report } from '../report/index.ts';

export function toExportedEpisode(record: EpisodeRecord): ExportedEpisode {
  const messages: readonly Message[] = restoreRecord(record).trajectory;
  return {
    ...record,
    grade: gradeOfRecord(record),
    trajectory: asToolCalls(messages, FORM_OF_STRATEGY.get(record.config.strategy)),
  };
}

export function leaderboardFigures({ subject, metrics, episodes }: Report): LeaderboardFigures {
  const { passHatK, episodes: counted } = metrics.infrastructureErrorsLeftOut;
  const roles = metrics.costs.roles.filter(({ role }) => role === 'agent' || role.startsWith('agent/'));
  const costs = roles.map(({ costUsd }) => costUsd);
  const isKnown = costs.every((cost) => cost !== null) && episodes.length > 0;
  const agentCostUsd = isKnown ? costs.reduce((sum, cost) => sum + cost, 0) / episodes.length : null;
  return { agentModel: subject.agentModel, passHatK, episodes: counted, agentCostUsd };
}
