/** Sums the usage of model calls per role. Null costs stay null, because an unknown price is not a price of zero. */

import { addUsage, isTruncated, type CallRole } from '../agents/index.ts';
import { addFailed, type CompleteOutput, type FailedReplies } from '../evaluation/index.ts';
import type { ForwardOutput, ReportedUsage } from '../agent-service/pure.ts';
import type { LongReply, Repair, RoleUsage } from './record.ts';

/** Returns the sum of two costs in USD; null if either is unknown. */
export function addCosts(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** Returns the sum in USD, 0 for none; null if one is unknown. */
export function sumCosts(costs: readonly (number | null)[]): number | null {
  return costs.reduce<number | null>((sum, cost) => addCosts(sum, cost), 0);
}

/** Returns the sum of known costs in USD; omitted if every price is known, because it then equals the cost. */
function addKnownCosts(
  costUsd: number | null,
  ...parts: readonly Pick<RoleUsage, 'costUsd' | 'knownCostUsd'>[]
): Pick<RoleUsage, 'knownCostUsd'> {
  if (costUsd !== null) return {};
  return { knownCostUsd: parts.reduce((sum, part) => sum + (part.costUsd ?? part.knownCostUsd ?? 0), 0) };
}

/** Returns the USD of a role's calls with a known price. */
export function readKnownCost({ costUsd, knownCostUsd = 0 }: Pick<RoleUsage, 'costUsd' | 'knownCostUsd'>): number {
  return costUsd ?? knownCostUsd;
}

type LeftOut = Pick<RoleUsage, 'leftOut'>;

/** Joins lists of refused fields, each once, in the order of their refusal. */
function addLeftOut({ leftOut: one = [] }: LeftOut, { leftOut: other = [] }: LeftOut): LeftOut {
  const leftOut = [...new Set([...one, ...other])];
  return leftOut.length === 0 ? {} : { leftOut };
}

interface RepairedMessage {
  readonly repairs?: readonly Repair[];
}

/** Adds up repairs by kind, in the order of their first occurrence. */
export function addRepairs(
  { repairs: one = [] }: RepairedMessage,
  { repairs: other = [] }: RepairedMessage,
): RepairedMessage {
  const sums = new Map(one.map(({ what, replies }) => [what, replies]));
  for (const { what, replies } of other) sums.set(what, (sums.get(what) ?? 0) + replies);
  return sums.size === 0 ? {} : { repairs: Array.from(sums, ([what, replies]) => ({ what, replies })) };
}

function toRepairs({ repairs = [] }: Pick<CompleteOutput, 'repairs'>): RepairedMessage {
  return { repairs: repairs.map((what) => ({ what, replies: 1 })) };
}

function emptyUsage(role: CallRole): RoleUsage {
  return {
    role,
    calls: 0,
    cachedCalls: 0,
    extraAttempts: 0,
    truncatedReplies: 0,
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
    costUsd: 0,
    lastCallCostUsd: null,
    latencyMs: 0,
  };
}

/** Most models of an agent service to store, because the service reports their names itself. */
const MAX_MODELS = 10;

/** Most too long replies to store, because an agent may answer each with another request. */
const MAX_LONG_REPLIES = 5;

/** Usage of one episode. Each call is added once, when its activity's result is in the history. */
export class UsageLedger {
  readonly #roles = new Map<CallRole, RoleUsage>();
  readonly #served = new Set<string>();
  readonly #longReplies: LongReply[] = [];
  #knownCostUsd = 0;
  #reused = { calls: 0, costUsd: 0 };

  enter(role: CallRole, call: CompleteOutput): void {
    if (call.failedReplies !== undefined) this.enterFailed(role, call.failedReplies);
    const before = this.#roles.get(role) ?? emptyUsage(role);
    const costUsd = addCosts(before.costUsd, call.costUsd);
    this.#roles.set(role, {
      role,
      calls: before.calls + 1,
      cachedCalls: before.cachedCalls + (call.cached === true ? 1 : 0),
      extraAttempts: before.extraAttempts + call.attempt - 1,
      truncatedReplies: before.truncatedReplies + (isTruncated(call.finishReason) ? 1 : 0),
      ...addUsage(before, call.usage),
      costUsd,
      ...addKnownCosts(costUsd, before, call),
      lastCallCostUsd: call.costUsd,
      latencyMs: before.latencyMs + call.latencyMs,
      ...addLeftOut(before, call),
      ...addRepairs(before, toRepairs(call)),
      ...(before.models === undefined ? {} : { models: before.models }),
    });
    this.#knownCostUsd += call.costUsd ?? 0;
    if (call.reused === true) {
      const { calls, costUsd } = this.#reused;
      const paid = (call.costUsd ?? 0) + (call.failedReplies?.knownCostUsd ?? 0);
      this.#reused = { calls: calls + 1, costUsd: costUsd + paid };
    }
    if (call.tooLong !== undefined && this.#longReplies.length < MAX_LONG_REPLIES) {
      this.#longReplies.push({ ...call.tooLong, role, excerpt: call.message.content ?? '' });
    }
    this.#served.add(call.fingerprint === null ? call.servedModel : `${call.servedModel} (${call.fingerprint})`);
  }

  /** Records replies that were paid but are not completions. The call itself is counted when it has a completion. */
  enterFailed(role: CallRole, failed: FailedReplies): void {
    const before = this.#roles.get(role) ?? emptyUsage(role);
    const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens, costUsd, knownCostUsd } =
      addFailed({ ...before, replies: 0, knownCostUsd: readKnownCost(before) }, failed);
    this.#roles.set(role, {
      ...before,
      ...{ promptTokens, completionTokens, cachedTokens, reasoningTokens, costUsd },
      ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
      ...(costUsd === null ? { knownCostUsd } : {}),
    });
    this.#knownCostUsd += failed.knownCostUsd;
  }

  /** Records a model call that was made for an agent. */
  enterForwarded(role: CallRole, call: ForwardOutput): void {
    this.enter(role, { ...call, message: { role: 'assistant', content: null }, fingerprint: null, requestId: null });
    this.#nameModel(role, call.servedModel);
  }

  /** Records calls that the agent made by itself, by its own report. */
  enterReported(role: CallRole, { calls, model, costUsd, ...usage }: ReportedUsage): void {
    const before = this.#roles.get(role) ?? emptyUsage(role);
    const sum = addCosts(before.costUsd, costUsd);
    this.#roles.set(role, {
      ...before,
      calls: before.calls + calls,
      ...addUsage(before, usage),
      costUsd: sum,
      ...addKnownCosts(sum, before, { costUsd }),
      lastCallCostUsd: costUsd,
    });
    this.#knownCostUsd += costUsd ?? 0;
    if (model === undefined) return;
    this.#served.add(model);
    this.#nameModel(role, model);
  }

  #nameModel(role: CallRole, model: string): void {
    const before = this.#roles.get(role) ?? emptyUsage(role);
    const { models = [] } = before;
    if (models.length === MAX_MODELS || models.includes(model)) return;
    this.#roles.set(role, { ...before, models: [...models, model] });
  }

  /** Records that a role's calls are unknown, and so their cost. */
  enterUnknown(role: CallRole): void {
    const before = this.#roles.get(role) ?? emptyUsage(role);
    this.#roles.set(role, { ...before, costUsd: null, ...addKnownCosts(null, before) });
  }

  /** Returns the usage in the order of the roles' first calls. */
  roles(): readonly RoleUsage[] {
    return [...this.#roles.values()];
  }

  /** Returns the cost in USD, without calls of unknown price. */
  knownCostUsd(): number {
    return this.#knownCostUsd;
  }

  /** Returns the number of calls that the earlier episode had paid, and their known cost in USD. */
  reused(): { readonly calls: number; readonly costUsd: number } {
    return this.#reused;
  }

  served(): readonly string[] {
    return [...this.#served];
  }

  /** Returns the first few replies that were too long. */
  longReplies(): readonly LongReply[] {
    return this.#longReplies;
  }
}

/** Sums the figures of the roles that `isIncluded` picks; the cost is 0 if there are none. */
export function sumUsage(roles: readonly RoleUsage[], isIncluded: (role: CallRole) => boolean = () => true): RoleUsage {
  return roles
    .filter((usage) => isIncluded(usage.role))
    .reduce<RoleUsage>(
      (sum, usage) => ({
        role: sum.role,
        calls: sum.calls + usage.calls,
        cachedCalls: sum.cachedCalls + usage.cachedCalls,
        extraAttempts: sum.extraAttempts + usage.extraAttempts,
        truncatedReplies: sum.truncatedReplies + usage.truncatedReplies,
        ...addUsage(sum, usage),
        costUsd: addCosts(sum.costUsd, usage.costUsd),
        ...addKnownCosts(addCosts(sum.costUsd, usage.costUsd), sum, usage),
        lastCallCostUsd: usage.lastCallCostUsd,
        latencyMs: sum.latencyMs + usage.latencyMs,
        ...addLeftOut(sum, usage),
        ...addRepairs(sum, usage),
      }),
      emptyUsage('agent'),
    );
}
