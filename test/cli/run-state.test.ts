/** Reasons and commands that `list`, `status` and `view` give for a run that does not go on. */

import { describe, expect, it } from 'vitest';
import { StateFinder, describeAtRest, describeUnderWay, explainState } from '../../src/cli/status/testing.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { NOWHERE, inProcessContext, scratchFolder } from './in-process.ts';

const RESUME = 'npx tauflow resume mine';

describe('a run under way', () => {
  it('needs no explanation while it goes on', () => {
    const state = describeUnderWay({ paused: false, pausedFor: null }, 'mine');
    expect(state).toEqual({ status: 'running', reason: null, command: null });
    expect(explainState(state)).toBeNull();
  });

  it('is paused by a person, or by itself with the problem to fix first', () => {
    expect(explainState(describeUnderWay({ paused: true }, 'mine'))).toBe(
      'open episodes continue to their end, no others are opened; continue with: npx tauflow resume mine',
    );
    const halted = describeUnderWay({ paused: true, pausedFor: 'QuotaExceeded: 429' }, 'mine');
    expect(halted.status).toBe('paused');
    expect(explainState(halted)).toMatch(/\(QuotaExceeded: 429\); fix .*; continue with: npx tauflow resume mine$/);
  });
});

describe('a run at rest', () => {
  const explain = (status: string, manifest: { readonly status: 'running' | 'failed' } | null) =>
    explainState(describeAtRest({ status, manifest }, RESUME));

  it.each(['interrupted', 'terminated', 'timed_out', 'failed'])('that was %s is resumed', (status) => {
    for (const manifest of [null, { status: 'running' }] as const) {
      expect(explain(status, manifest)).toMatch(/; continue with: npx tauflow resume mine$/);
    }
  });

  it('needs no explanation where its log or the server has its end', () => {
    expect(explain('failed', { status: 'failed' })).toBeNull();
    expect(explain('cancelled', null)).toBeNull();
  });
});

describe('a run whose server does not answer', () => {
  it.each([
    ['a server that is named', NOWHERE],
    ['the folder, which has none', { TEMPORAL_ADDRESS: '' }],
  ])('is described by view as by list and status: %s', async (_, env) => {
    const cwd = scratchFolder();
    const { context } = inProcessContext([], { cwd, env });
    const log = new RunLog({ runId: 'mine', logDir: `${cwd}/results` });
    const states = new StateFinder(context);
    const state = describeAtRest({ status: 'interrupted', manifest: null }, RESUME);
    await expect.poll(() => states.find(log), { timeout: 20_000 }).toEqual(state);
    expect(state.reason).toBe('the server does not know it any more, or does not answer');
    await states.close();
  });
});
