export { CONFIG_LIMITS } from './config-options.ts';
export { HIDDEN, type OptionEntry } from './entry.ts';
export {
  ALIASES,
  formatFlag,
  runOptions,
  splitStrategyValues,
  strategyNames,
  type OptionName,
  type RawRunOptions,
} from './names.ts';
export { FAIL_IF_HELP, parseRateLimits } from './process-options.ts';
export { DEFAULT_LOG_DIR, DEFAULT_STRATEGY, RUN_OPTIONS, STRATEGY_GROUP } from './table.ts';
