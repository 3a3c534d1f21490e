/** Folders of runs: taken before anything starts, given back when nothing was started. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { claimRunLog } from '../../src/run-setup/index.ts';
import { CONFIG } from '../results/fixtures.ts';
import type { RunInput } from '../../src/evaluation/index.ts';
import { inProcessContext, namesIn, scratchFolder } from '../cli/in-process.ts';

const { context: CONTEXT } = inProcessContext([], {});

const FACTS = { label: 'TC', versions: {}, temporal: null, notes: [] };

function asked(logDir: string, maxSteps: number): RunInput {
  return {
    run: { runId: 'mine', logDir },
    config: { ...CONFIG, maxSteps },
    plan: { taskIds: [0], numTrials: 1, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    workflowId: 'mine',
  };
}

describe('a run id that was made up', () => {
  it('gets a number when another run of the same second has it, however many start at once', async () => {
    const logDir = scratchFolder();
    const claims = await Promise.all([1, 2, 3].map(() => claimRunLog({ runId: 'run', logDir }, false, CONTEXT)));
    expect(claims.map(({ run }) => run.runId).sort()).toEqual(['run', 'run-2', 'run-3']);
  });
});

describe('a run id that was given', () => {
  it('is the run that is there', async () => {
    const logDir = scratchFolder();
    await claimRunLog({ runId: 'mine', logDir }, true, CONTEXT);
    expect((await claimRunLog({ runId: 'mine', logDir }, true, CONTEXT)).run.runId).toBe('mine');
  });
});

describe('a claim that is given back', () => {
  it('leaves nothing that it has made', async () => {
    const root = scratchFolder();
    const logDir = join(root, 'deep', 'results');
    const claim = await claimRunLog({ runId: 'mine', logDir }, false, CONTEXT);
    await claim.open(asked(logDir, 5), FACTS);
    await claim.giveBack();
    expect(namesIn(root)).toEqual([]);
  });

  it('leaves the configuration that another process was faster to write', async () => {
    const root = scratchFolder();
    const logDir = join(root, 'results');
    const first = await claimRunLog({ runId: 'mine', logDir }, true, CONTEXT);
    const second = await claimRunLog({ runId: 'mine', logDir }, true, CONTEXT);
    const token = await second.open(asked(logDir, 5), FACTS);
    await expect(first.open(asked(logDir, 6), FACTS)).rejects.toThrow(/max_steps: 5, now 6/);
    // It has made the folder, but not what is in it.
    await first.giveBack();
    expect(namesIn(join(logDir, 'mine'))).toContain('run.json');
    expect(await second.folder?.readToken()).toBe(token);
  });

  it('leaves everything that was there, and what others have put there', async () => {
    const root = scratchFolder();
    const folder = join(root, 'results', 'mine');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'run.json'), '{}');
    await (await claimRunLog({ runId: 'mine', logDir: join(root, 'results') }, true, CONTEXT)).giveBack();
    expect(namesIn(folder)).toEqual(['run.json']);

    const claim = await claimRunLog({ runId: 'new', logDir: join(root, 'results') }, true, CONTEXT);
    writeFileSync(join(claim.folder?.paths.episodes ?? '', 'task-1.trial-0.json'), '{}');
    await claim.giveBack();
    expect(namesIn(claim.folder?.paths.episodes ?? '')).toEqual(['task-1.trial-0.json']);
  });
});
