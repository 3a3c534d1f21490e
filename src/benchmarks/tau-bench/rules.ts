/**
 * tau-bench's rules: the user opens, only the first call of a reply is executed, and a stop word or a terminating tool
 * ends the episode.
 */

import { outcomeOfAgentEnd, type EpisodeLimits, type EpisodeRules } from '../rules.ts';
import { STOP_MARKER } from '../types.ts';

export function openTauBenchRules({ maxSteps }: EpisodeLimits): EpisodeRules {
  return {
    takesAllCalls: false,
    hasUser: true,
    hasUserTools: false,
    refusesSilence: false,
    isOver: false,
    stepsLeft: (taken) => maxSteps - taken,
    said: (speaker, { text }) => speaker === 'user' && text?.includes(STOP_MARKER) === true,
    answered: ({ done }) => done,
    agentView: (messages) => messages,
    outcome: outcomeOfAgentEnd,
  };
}
