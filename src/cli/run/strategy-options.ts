/** The settings of a strategy, as flags give them. What is left at its default is left out, so that it is no change. */

import { strategies, type StrategyDefinition, type StrategyOptions, type StrategySetting } from '../../agents/index.ts';
import { userCompat } from '../../users/index.ts';
import { UsageError } from '../../errors/index.ts';
import { flagOf } from './options.ts';
import type { RawRunOptions, RunOptions } from './options.schema.ts';

/**
 * @throws UsageError for a variant or a setting that the strategy does not have
 */
export function chooseStrategyOptions(options: RunOptions, strategy: StrategyDefinition): StrategyOptions {
  const { omitPolicy, useReasoning, compat, decisionOnly, parameterTries, intentRanker } = options;
  requireVariants(options, strategy);
  if (decisionOnly) requireDecisions(options, strategy);
  const renamed = Object.entries(options.toolNames).filter(([command, tool]) => command !== tool);
  const chosen = {
    ...(renamed.length === 0 ? {} : { toolNames: Object.fromEntries(renamed) }),
    ...(parameterTries === 1 ? {} : { parameterTries }),
    ...(intentRanker === 'lexical' ? {} : { intentRanker }),
  };
  for (const setting of Object.keys(chosen) as StrategySetting[]) requireSetting(setting, strategy);
  return {
    omitPolicy,
    useReasoning,
    ...(compat.length === 0 ? {} : { compat }),
    ...(decisionOnly ? { decisionOnly } : {}),
    ...chosen,
  };
}

/** The options that give a recorded run its settings again. */
export function recordedStrategyOptions(options: StrategyOptions): RawRunOptions {
  const { compat, decisionOnly, toolNames, parameterTries, intentRanker, fewShots } = options;
  return {
    ...(compat === undefined ? {} : { compat }),
    ...(decisionOnly === undefined ? {} : { decisionOnly }),
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(parameterTries === undefined ? {} : { parameterTries }),
    ...(intentRanker === undefined ? {} : { intentRanker }),
    ...(fewShots?.file === undefined ? {} : { fewShotDisplaysPath: fewShots.file.path }),
    ...(fewShots?.leaveOut === undefined ? {} : { fewShotLeaveOut: true }),
  };
}

/** @throws UsageError for a name that neither the agent's strategy nor the user's has */
export function requireVariants(
  { compat: names, userStrategy }: { readonly compat: readonly string[]; readonly userStrategy: string },
  strategy: StrategyDefinition,
): void {
  const ofAgent = Object.keys(strategy.compat ?? {});
  const ofUser = Object.keys(userCompat[userStrategy] ?? {});
  const unknown = names.find((name) => ![...ofAgent, ...ofUser].includes(name));
  if (unknown === undefined) return;
  const known = [
    ...(ofAgent.length === 0 ? [] : [`the agent strategy ${strategy.name} has: ${ofAgent.join(', ')}`]),
    ...(ofUser.length === 0 ? [] : [`the user strategy ${userStrategy} has: ${ofUser.join(', ')}`]),
  ];
  throw new UsageError(
    known.length === 0
      ? `--compat ${unknown}: the agent strategy ${strategy.name} has no variants; leave --compat out.`
      : `unknown --compat "${unknown}"; ${known.join('; ')}.`,
  );
}

function requireDecisions({ failUnder }: RunOptions, { name, decisionOnly }: StrategyDefinition): void {
  if (decisionOnly !== true) {
    const able = strategyNames((strategy) => strategy.decisionOnly === true);
    throw new UsageError(`--decision-only is for ${able}; the agent strategy ${name} learns what to do by acting.`);
  }
  if (failUnder !== undefined) {
    throw new UsageError('--fail-under needs a score, and --decision-only gives none; leave one of them out.');
  }
}

function requireSetting(setting: StrategySetting, { name, settings = [] }: StrategyDefinition): void {
  if (settings.includes(setting)) return;
  const able = strategyNames((strategy) => strategy.settings?.includes(setting) ?? false);
  throw new UsageError(`${flagOf(setting)} is for ${able}; the agent strategy ${name} has no such setting.`);
}

function strategyNames(isMeant: (strategy: StrategyDefinition) => boolean): string {
  return Object.values(strategies)
    .filter(isMeant)
    .map(({ name }) => name)
    .join(', ');
}
