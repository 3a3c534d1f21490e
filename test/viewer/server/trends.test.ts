/** Scheduled runs as trends. */

import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { compareScheduledRun } from '../../../src/results/compare/index.ts';
import { openRunLogs } from '../../../src/run-log/store/index.ts';
import type { ScheduleTrend, ScheduleTrends } from '../../../src/viewer/data/testing.ts';
import { makeViewedRun, startView, type View } from '../viewed.ts';

const nightly = (day: number) => `nightly-2025-02-0${day}T030000Z`;

async function trendsOf(view: View): Promise<readonly ScheduleTrend[]> {
  const { status, json } = await view.get('api/schedules');
  expect(status).toBe(200);
  return (json as ScheduleTrends).schedules;
}

/** A run that its schedule has compared with the one before. */
async function comparedRun(logDir: string, day: number, reward: number): Promise<void> {
  const runId = nightly(day);
  const episodes = Array.from({ length: 24 }, (_, at) => [at % 12, Math.floor(at / 12), { reward }] as const);
  const log = await makeViewedRun(logDir, runId, { episodes });
  const input = { run: { runId, logDir }, schedule: 'nightly', end: 'completed', problem: null, planned: 24 } as const;
  await log.writeComparison(await compareScheduledRun(input, openRunLogs(logDir, null), () => undefined));
}

it('scheduled runs are trends, each run with its figures and how it compared', async () => {
  const view = await startView();
  await makeViewedRun(view.logDir, 'by-hand');
  await makeViewedRun(view.logDir, 'weekly-2025-02-03T030000Z');
  await makeViewedRun(view.logDir, nightly(3), { status: 'running' });
  await comparedRun(view.logDir, 1, 1);
  await comparedRun(view.logDir, 2, 0);
  const [schedule, weekly] = await trendsOf(view);
  expect(weekly).toMatchObject({ schedule: 'weekly', runs: [{ verdict: null, baseline: null, sentence: null }] });
  expect(schedule?.schedule).toBe('nightly');
  expect(schedule?.runs).toMatchObject([
    { runId: nightly(1), at: '2025-02-01T03:00:00Z', passHat1: 1, verdict: 'first', baseline: null, episodes: 24 },
    { runId: nightly(2), at: '2025-02-02T03:00:00Z', passHat1: 0, verdict: 'regression', baseline: nightly(1) },
    { runId: nightly(3), status: 'running', verdict: null, sentence: null },
  ]);
  expect(schedule?.runs[1]?.sentence).toMatch(/^worse than nightly-2025-02-01T030000Z: 1.000 → 0.000/);
  expect(schedule?.runs[0]?.costUsd).toBeCloseTo(24 * 0.024);
});

it('a comparison that cannot be read, or is written later, changes the answer', async () => {
  const view = await startView();
  const log = await makeViewedRun(view.logDir, nightly(1));
  const { headers } = await view.get('api/schedules');
  const since = { 'If-None-Match': headers.get('etag') ?? '' };
  expect((await view.get('api/schedules', since)).status).toBe(304);
  writeFileSync(log.paths.comparison, '{');
  expect((await view.get('api/schedules', since)).status).toBe(200);
  const [schedule] = await trendsOf(view);
  expect(schedule?.runs[0]).toMatchObject({ verdict: null, passHat1: 0.75 });
  expect(schedule?.runs[0]?.sentence).toContain('comparison.json');
});

it('a folder without scheduled runs has no trends', async () => {
  expect(await trendsOf(await startView())).toEqual([]);
});
