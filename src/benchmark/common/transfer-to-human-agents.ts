/** `transfer_to_human_agents`: gives the case up; which tools end an episode is said by the pack. */

import { defineTool } from '../tool.ts';

export const transferToHumanAgents = defineTool('transfer_to_human_agents', ['summary'], () => 'Transfer successful');
