/** The rules of an episode on an environment service, by their name from the service. */

import { outcomeOfAgentEnd, type EpisodeLimits, type EpisodeRules } from '../rules.ts';
import { openTauBenchRules } from '../tau-bench/rules.ts';
import { Tau3Rules } from '../tau3/rules.ts';

export function openServiceRules(limits: EpisodeLimits): EpisodeRules {
  switch (limits.rules) {
    case 'tau-bench':
      return openTauBenchRules(limits);
    case 'solo':
      return openSoloRules(limits);
    case 'tau2':
    case undefined:
      return new Tau3Rules(limits);
  }
}

/**
 * Rules without a simulated user: the task opens, and the agent works until it sends a message or the environment ends
 * the episode.
 */
function openSoloRules({ maxSteps }: EpisodeLimits): EpisodeRules {
  return {
    takesAllCalls: true,
    hasUser: false,
    hasUserTools: false,
    refusesSilence: false,
    isOver: false,
    stepsLeft: (taken) => maxSteps - taken,
    said: (speaker, { toolCalls }) => speaker === 'agent' && toolCalls === undefined,
    answered: ({ done }) => done,
    agentView: (messages) => messages,
    outcome: (end, endedBy) => (end === 'done' ? { kind: 'agent_stop' } : outcomeOfAgentEnd(end, endedBy)),
  };
}
