/** Waits and figures of this process while somebody sets the clock of the machine. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { windUp } from '../../src/cli/steer/testing.ts';
import { waitForExit } from '../../src/temporal/server/index.ts';
import { VersionedCache } from '../../src/viewer/server/testing.ts';

const HOUR_MS = 3_600_000;

describe.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('a clock that goes %s by an hour at every look', (_, stepMs) => {
  beforeEach(() => {
    let now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => (now += stepMs));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('neither ends nor prolongs the wait for a process', async () => {
    const since = performance.now();
    expect(await waitForExit(process.pid, 200)).toBe(false);
    const waitedMs = performance.now() - since;
    expect(waitedMs).toBeGreaterThanOrEqual(200);
    expect(waitedMs).toBeLessThan(10_000);
  });

  it('does not make the end of a canceled run look slow or silent', async () => {
    let looks = 0;
    const winding = {
      isClosed: () => Promise.resolve((looks += 1) > 5),
      countOpen: () => Promise.resolve(1),
      isListenedTo: () => Promise.resolve(true),
      isAnswered: () => Promise.resolve(false),
    };
    const patience = { lookMs: 1, reportMs: 60_000, silentMs: 60_000, slowMs: 60_000 };
    const lines: string[] = [];
    expect(await windUp(winding, (line) => lines.push(line), patience)).toEqual({ kind: 'closed', open: 0 });
    expect(lines).toEqual(['winding up: 1 episode is open']);
    looks = -1_000_000;
    expect(await windUp(winding, () => undefined, { ...patience, silentMs: 20 })).toMatchObject({ kind: 'unanswered' });
  });

  it('neither ages nor renews what a page remembers', async () => {
    const kept = new VersionedCache<{ readonly version: string }>(5);
    const read = async (version: string, patienceMs: number) =>
      (await kept.getRecent('run', version, patienceMs, () => Promise.resolve({ version })).value).version;
    expect([await read('1', 60_000), await read('2', 60_000), await read('3', 0)]).toEqual(['1', '1', '3']);
  });
});
