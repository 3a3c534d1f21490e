/** The benchmark of crashes in a small form, with Tauflow alone: that it measures, and that Tauflow loses nothing. */

import { afterEach, describe, expect, it } from 'vitest';
import { resolvePack } from '../../src/benchmarks/packs/index.ts';
import { measureTool, planFailures } from '../../perf/crashes/index.ts';
import { mountDisk } from '../../perf/crashes/session.ts';
import { tauflow } from '../../perf/crashes/tools.ts';
import { endAll } from '../../perf/processes.ts';

afterEach(endAll);

const whyNot = await Promise.resolve()
  .then(() => mountDisk().remove())
  .then(
    () => null,
    (error: Error) => error.message,
  );

describe.skipIf(whyNot !== null)(`the benchmark of crashes${whyNot === null ? '' : ` (${whyNot})`}`, () => {
  it('finds no episode of Tauflow lost, and only calls in progress paid again', { timeout: 600_000 }, async () => {
    const kills = 3;
    const concurrency = 3;
    const figures = await measureTool(
      tauflow(await resolvePack('retail', undefined)),
      {
        tasks: [0, 1, 2, 3, 4, 5, 6, 7],
        concurrency,
        latencyMs: 200,
        failures: planFailures(1, kills),
        outageMs: 3_000,
        fullDiskMs: 3_000,
      },
      () => undefined,
    );
    expect(figures.failures.map(({ kind }) => kind).sort()).toEqual([
      'full disk',
      ...['kill of all', 'kill of one', 'kill of one'],
      'outage',
      'revoked key',
    ]);
    expect(figures).toMatchObject({ solved: 8, scored_zero: 0, results_lost: 0, commands_listed_by_hand: 0 });
    // A call in progress at a kill, and one in the first moment of each other failure.
    expect(figures.calls_paid_again).toBeLessThanOrEqual((kills + 3) * concurrency);
    expect(figures.commands).toBeGreaterThan(1);
  });
});
