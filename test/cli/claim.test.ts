/** Folders of runs: taken before anything starts, given back when nothing was started. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { claimRunLog } from '../../src/cli/run/claim.ts';
import { inProcessContext, namesIn, scratchFolder } from './in-process.ts';

const { context: CONTEXT } = inProcessContext([], {});

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
    const claim = await claimRunLog({ runId: 'run', logDir: join(root, 'deep', 'results') }, false, CONTEXT);
    writeFileSync(claim.folder?.paths.run ?? '', '{}');
    await claim.giveBack();
    expect(namesIn(root)).toEqual([]);
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
