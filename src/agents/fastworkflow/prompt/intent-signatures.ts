/** The prompts that find out which command is meant, for words that do not tell by themselves. */

import type { StrategyOptions } from '../../port.ts';
import { hasCompat } from '../compat.ts';
import { type OutputField, reasoning, type Signature } from './signature.ts';

const HUMAN_NEEDED = 'whether only the customer can tell what is meant';

/** What a command was meant to be that is ambiguous, or that nothing is understood of. */
export function clarify(options: StrategyOptions): Signature {
  // FastWorkflow leaves the type open, and takes whatever is written there as yes.
  const needsHuman: OutputField = hasCompat(options, 'fastworkflow-needs-human')
    ? { name: 'needs_human', kind: 'text', description: HUMAN_NEEDED, optional: true }
    : { name: 'needs_human', kind: 'flag', description: HUMAN_NEEDED };
  return {
    name: 'clarify',
    kind: 'clarify',
    role: 'agent/clarification',
    inputs: [
      { name: 'original_command', description: 'what the agent wrote, which was not carried out' },
      { name: 'error_message', description: 'why not, with the commands that come into question' },
      { name: 'agent_inputs', description: 'what the agent is working on, with its plan' },
      { name: 'agent_trajectory', description: 'what the agent has done about it so far' },
    ],
    outputs: [
      reasoning,
      {
        name: 'clarified_command',
        kind: 'text',
        description:
          "the complete command that was meant: the command's name, then its parameters in XML tags; empty when " +
          'needs_human is true',
        optional: true,
      },
      needsHuman,
      {
        name: 'clarification_question',
        kind: 'text',
        description: 'the question to the customer when needs_human is true, else empty',
        optional: true,
      },
    ],
    objective: [
      'An agent has written a command that cannot be matched with one of the commands there are. Find out from its task,',
      'its plan and its steps so far which command it meant, and write that command out in full.',
      '',
      "Use only command names that the error message gives, and only values that the agent's words or steps contain.",
      'The customer is needed only when nothing that you are given tells which command is meant.',
    ].join('\n'),
    grounded: false,
  };
}

/** How likely each command is meant by words that name none. */
export const rank: Signature = {
  name: 'rank',
  kind: 'rank',
  role: 'agent/ranker',
  inputs: [
    { name: 'commands', description: 'the commands there are' },
    { name: 'utterance', description: 'what was written in place of a command' },
  ],
  outputs: [
    reasoning,
    {
      name: 'command_confidences',
      kind: 'object',
      description:
        'from 0 to 1, how likely it is that each command is meant, by command name; commands that are not meant may ' +
        'be left out, all of them when none is',
    },
  ],
  objective: 'Say which of the commands the utterance asks for. Judge what it wants done, not which words it shares.',
  grounded: false,
};
