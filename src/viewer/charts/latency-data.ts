/** Durations of the model calls of each role. Pure. */

import type { RoleCost } from '../../results/metrics/index.ts';
import { shortTime } from './words.ts';

export interface RoleLatency {
  readonly role: string;
  readonly calls: number;
  /** Milliseconds, mean over its calls. */
  readonly meanMs: number;
  /** Of the slowest role's mean, in [0, 1]. */
  readonly share: number;
}

/** The slowest first; roles without a call are left out. */
export function latencies(roles: readonly RoleCost[]): RoleLatency[] {
  const means = roles
    .filter(({ calls }) => calls > 0)
    .map(({ role, calls, latencyMs }) => ({ role, calls, meanMs: latencyMs / calls }))
    .sort((a, b) => b.meanMs - a.meanMs);
  const slowest = means[0]?.meanMs ?? 0;
  return means.map((mean) => ({ ...mean, share: slowest === 0 ? 0 : mean.meanMs / slowest }));
}

/** In one sentence. */
export function latencySentence([slowest, ...others]: readonly RoleLatency[]): string {
  if (slowest === undefined) return 'Not known: the source does not say how long calls took.';
  const most = `A call of ${slowest.role} takes ${shortTime(slowest.meanMs)} on average`;
  return others.length === 0 ? `${most}.` : `${most}, the longest of ${String(others.length + 1)} roles.`;
}
