import { isAgentRole } from '../../evaluation/index.ts';
import { sumCosts } from '../../episode/index.ts';
import type { EpisodeRecord } from '../../run-log/index.ts';

/** Returns the usage of all calls of the agent; null without a call. The cost is null if a price is unknown. */
export function sumAgentUsage({ usage }: EpisodeRecord) {
  const roles = usage.filter(({ role }) => isAgentRole(role));
  if (roles.length === 0) return null;
  const sum = (figure: (role: (typeof roles)[number]) => number) => roles.reduce((all, role) => all + figure(role), 0);
  return {
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
    costUsd: sumCosts(roles.map(({ costUsd }) => costUsd)),
  };
}
