/** Options of a run that are settings of the agent's and the simulated user's models; see `table.ts`. */

import { DEFAULT_TOKEN_CAPS } from '../../models/providers.ts';
import { findTokenCap } from '../../evaluation/index.ts';
import { HIDDEN, type OptionEntry } from './entry.ts';

export const SETTING_OPTIONS = {
  reasoningEffort: {
    isEssential: true,
    flags: {
      '--reasoning-effort <level>': "the agent's: none, minimal, low, medium, high, or what the model takes",
    },
    schema: (as) => as.name.optional(),
  },
  userReasoningEffort: {
    flags: { '--user-reasoning-effort <level>': "the simulated user's" },
    schema: (as) => as.name.optional(),
  },
  maxCompletionTokens: {
    flags: {
      '--max-completion-tokens <n>': `tokens of an agent's completion, or none (default: ${DEFAULT_TOKEN_CAPS.agent}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
      '--max-output-tokens <n>': HIDDEN,
    },
    helpIn: {
      errors: `tokens of an answer, or none (default: ${DEFAULT_TOKEN_CAPS.judge}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
    },
    schema: (as) => as.tokenCap.optional(),
    recorded: ({ config }) => findTokenCap(config, 'agent') ?? 'none',
  },
  userMaxCompletionTokens: {
    flags: {
      '--user-max-completion-tokens <n>': `the same for the simulated user (default: ${DEFAULT_TOKEN_CAPS.user}; ${DEFAULT_TOKEN_CAPS.reasoning} if it reasons)`,
      '--user-max-output-tokens <n>': HIDDEN,
    },
    schema: (as) => as.tokenCap.optional(),
    recorded: ({ config }) => findTokenCap(config, 'user') ?? 'none',
  },
} as const satisfies Readonly<Record<string, OptionEntry>>;
