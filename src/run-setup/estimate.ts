/**
 * Estimates the tokens and the cost of a run before it starts. An estimate from the pack's prompts is rough and always
 * possible; one from earlier episodes of the same agent and models is better.
 */

import { findStrategy, type LeastSolution } from '../agents/index.ts';
import { RESPOND, countEpisodes } from '../benchmarks/index.ts';
import type { Pack } from '../benchmarks/packs/index.ts';
import { dumpJson } from '../benchmarks/python/index.ts';
import { createPricer } from '../models/index.ts';
import { modelCapabilities } from '../models/providers.ts';
import type { EpisodeRow } from '../run-log/index.ts';
import { addCosts } from '../episode/index.ts';
import {
  givenPrice,
  isCalled,
  listCalledModels,
  type EvaluationConfig,
  type ModelSettings,
  type SweepPlan,
} from '../evaluation/index.ts';

/** Number of characters per token, by the usual rule of thumb for English and JSON. */
const CHARS_PER_TOKEN = 4;
/** Number of tokens that a call and its result add to a conversation, on average over tau-bench's tools and replies. */
const TOKENS_PER_CALL = 200;
const COMPLETION_TOKENS = 60;

/** A range of estimates: from a solution in the ground truth's steps, to an episode that uses all its steps. */
interface EstimateRange {
  readonly low: number;
  readonly high: number;
}

interface PackEstimate {
  readonly promptTokens: EstimateRange;
  readonly completionTokens: EstimateRange;
  /** Cost in USD, without cached input; null if a price is unknown. */
  readonly costUsd: EstimateRange | null;
  /** True if a model reasons before it answers, which tokens and cost leave out. */
  readonly leavesOutReasoning: boolean;
  /** True if the agent calls its own models, whose calls cannot be estimated. */
  readonly leavesOutAgent: boolean;
}

/** Number of model calls of a whole run. */
interface CallCounts {
  readonly agent: number;
  readonly user: number;
}

/** The part of a request that determines the number and length of a run's calls. */
interface EstimateInput {
  readonly pack: Pack;
  readonly plan: SweepPlan;
  readonly config: EvaluationConfig;
}

/**
 * @param least least number of calls of a run that solves its tasks
 * @param leastSteps least number of environment steps of such a run
 */
export function estimateFromPack(asked: EstimateInput, least: CallCounts, leastSteps: number): PackEstimate {
  const { config, plan } = asked;
  const episodes = countEpisodes(plan);
  const stretch = Math.max(1, (config.maxSteps * episodes) / Math.max(1, leastSteps));
  const low = estimateUsage(asked, episodes, least, 1);
  const high = estimateUsage(asked, episodes, least, stretch);
  const costs = [low, high].map(({ agent, user }) =>
    addCosts(
      config.agentModel === null ? 0 : estimatePrice(config, config.agentModel, agent),
      user.promptTokens === 0 ? 0 : estimatePrice(config, config.userModel, user),
    ),
  );
  const [lowUsd = null, highUsd = null] = costs;
  return {
    promptTokens: toRange('promptTokens', low, high),
    completionTokens: toRange('completionTokens', low, high),
    costUsd: lowUsd === null || highUsd === null ? null : { low: lowUsd, high: highUsd },
    leavesOutReasoning: listCalledModels(config).some(isReasoning),
    leavesOutAgent: config.agentModel === null,
  };
}

function isReasoning({ provider, model, reasoning_effort: effort }: ModelSettings): boolean {
  return effort === undefined ? modelCapabilities(provider, model).reasons : effort !== 'none';
}

interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

const NO_TOKENS: TokenCounts = { promptTokens: 0, completionTokens: 0 };

interface RoleTokens {
  readonly agent: TokenCounts;
  readonly user: TokenCounts;
}

function estimateUsage(
  { pack, plan, config }: EstimateInput,
  episodes: number,
  least: CallCounts,
  stretch: number,
): RoleTokens {
  const policy = config.strategyOptions.omitPolicy ? '' : pack.policy;
  const agentBase = estimateTokens(policy) + estimateTokens(dumpJson(pack.tools));
  const tasks = pack.splits[config.split] ?? [];
  const instructions = plan.taskIds.reduce((sum, id) => sum + estimateTokens(tasks[id]?.instruction ?? ''), 0);
  const prompt = pack.userPrompts.strategies[config.userStrategy]?.systemPrompt ?? '';
  const userBase = estimateTokens(prompt) + instructions / Math.max(1, plan.taskIds.length);
  return {
    agent:
      config.agentModel === null
        ? NO_TOKENS
        : estimateConversations(episodes, (least.agent * stretch) / episodes, agentBase),
    user: estimateConversations(episodes, (least.user * stretch) / episodes, userBase),
  };
}

/** Counts tokens, given that each call sends the whole conversation before it. */
function estimateConversations(episodes: number, calls: number, base: number): TokenCounts {
  const history = (TOKENS_PER_CALL * calls * Math.max(0, calls - 1)) / 2;
  return {
    promptTokens: Math.round(episodes * (calls * base + history)),
    completionTokens: Math.round(episodes * calls * COMPLETION_TOKENS),
  };
}

function toRange(field: keyof TokenCounts, low: RoleTokens, high: RoleTokens): EstimateRange {
  return { low: low.agent[field] + low.user[field], high: high.agent[field] + high.user[field] };
}

function estimateTokens(text: string): number {
  return text.length / CHARS_PER_TOKEN;
}

function estimatePrice(
  config: EvaluationConfig,
  { provider, model }: ModelSettings,
  tokens: TokenCounts,
): number | null {
  const given = givenPrice(config, { provider, model });
  const price = createPricer(() => undefined);
  const usage = { ...tokens, cachedTokens: 0, reasoningTokens: 0 };
  return price({
    provider,
    requestedModel: model,
    servedModel: model,
    usage,
    usageReported: true,
    ...(given === undefined ? {} : { price: given }),
  });
}

interface EarlierEstimate {
  /** Number of episodes on which the estimate is based. */
  readonly episodes: number;
  readonly runs: number;
  /** Number of prompt tokens of the whole run, from the mean of the earlier episodes; other fields likewise. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Cost in USD; null if a price was unknown. */
  readonly costUsd: { readonly mean: number; readonly low: number; readonly high: number } | null;
}

/**
 * @param runs earlier episodes, run by run
 * @param planned number of planned episodes
 * @returns null without a usable earlier episode
 */
export function estimateFromRuns(runs: readonly (readonly EpisodeRow[])[], planned: number): EarlierEstimate | null {
  const conclusive = runs.map((rows) => rows.filter(isConclusive)).filter((rows) => rows.length > 0);
  const rows = conclusive.flat();
  if (rows.length === 0) return null;
  const total = (field: keyof TokenCounts) =>
    rows.reduce((sum, { roles }) => sum + roles.reduce((tokens, role) => tokens + role[field], 0), 0);
  const costs = rows.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  return {
    episodes: rows.length,
    runs: conclusive.length,
    promptTokens: Math.round((total('promptTokens') / rows.length) * planned),
    completionTokens: Math.round((total('completionTokens') / rows.length) * planned),
    costUsd: costs.length < rows.length ? null : estimateSpread(costs, planned),
  };
}

/** True for an episode that ran to its end, without calls from a response cache. */
function isConclusive({ outcome, roles }: EpisodeRow): boolean {
  const isWhole = outcome !== 'infrastructure_error' && outcome !== 'cancelled' && outcome !== 'error';
  return isWhole && roles.length > 0 && roles.every(({ cachedCalls }) => cachedCalls === 0);
}

/**
 * Estimates the sum of `planned` episodes, with twice its standard deviation to either side; this includes the
 * uncertainty of the mean.
 */
function estimateSpread(costs: readonly number[], planned: number): NonNullable<EarlierEstimate['costUsd']> {
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  const squares = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0);
  const variance = costs.length < 2 ? 0 : squares / (costs.length - 1);
  const deviation = Math.sqrt(variance * (planned + planned ** 2 / costs.length));
  const sum = mean * planned;
  return { mean: sum, low: Math.max(0, sum - 2 * deviation), high: sum + 2 * deviation };
}

export interface Estimate {
  readonly fromPack: PackEstimate;
  /** Estimate from earlier runs; null if the log folder has none of the same agent, user and models. */
  readonly fromRuns: EarlierEstimate | null;
}

/**
 * Counts the model calls that a run needs at least to solve its tasks: the agent's, by its strategy, and the simulated
 * user's opening and answer. It is a lower bound, without questions, confirmations and second tries.
 */
export function countLeastCalls({ pack, plan, config }: EstimateInput): LeastCounts {
  const tasks = pack.splits[config.split] ?? [];
  const agentCalls = findStrategy(config.strategy, config.strategyOptions.agentFile)?.leastCalls ?? ordinaryCalls;
  const calls = plan.taskIds.map((id) => {
    const actions = (tasks[id]?.actions ?? []).filter(({ name }) => name !== RESPOND);
    // A hand-over ends the conversation, so nobody speaks after it.
    const end = actions.findIndex(({ name }) => pack.terminateTools.includes(name));
    const endsItself = end !== -1;
    const solution = { actions: endsItself ? end + 1 : actions.length, endsItself };
    const hasAnswer = !endsItself && config.strategyOptions.decisionOnly !== true;
    const userCalls = !isCalled(config.userModel) ? 0 : hasAnswer ? 2 : 1;
    const ofAgent = config.agentModel === null ? 0 : agentCalls(solution, config.strategyOptions);
    return { agent: ofAgent, user: userCalls, steps: ordinaryCalls(solution) };
  });
  const total = (field: keyof LeastCounts) =>
    calls.reduce((sum, call) => sum + call[field], 0) * (countEpisodes(plan) / plan.taskIds.length);
  return { agent: total('agent'), user: total('user'), steps: total('steps') };
}

interface LeastCounts extends CallCounts {
  readonly steps: number;
}

/** Returns the usual number of calls: one for every action, and one for the last message. */
function ordinaryCalls({ actions, endsItself }: LeastSolution): number {
  return endsItself ? actions : actions + 1;
}
