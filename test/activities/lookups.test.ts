import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withAttempts } from '../../activities/testing.ts';
import { createFailureUse } from '../../src/results/judge/index.ts';
import { UsageError } from '../../src/errors/index.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { WHOLE_RUN, createRunFolders, type LogStore } from '../../src/run-log/store/index.ts';
import type { RunRef, JudgedSource } from '../../src/evaluation/index.ts';

let place: string;
let logDir: string;
const told: string[] = [];

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'tauflow-folders-')));
  logDir = join(place, 'results');
  told.length = 0;
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** An activity's attempt on a run's folder. */
function attempt(run: RunRef, logDirs?: readonly string[], info: Partial<Info> = {}): Promise<string> {
  const warn = (message: string): void => void told.push(message);
  const folders = createRunFolders(logDirs === undefined ? { warn } : { logDirs, warn });
  const work = withAttempts(3, () => folders.use(run, WHOLE_RUN, (log) => Promise.resolve(log.paths.folder)));
  return new MockActivityEnvironment(info).run(work, null);
}

function judge(source: JudgedSource, logDirs?: readonly string[]): Promise<string> {
  const warn = (): void => undefined;
  const folders = createRunFolders(logDirs === undefined ? { warn } : { logDirs, warn });
  const use = createFailureUse({ findPack: () => Promise.resolve(undefined), warn }, folders);
  const work = withAttempts(3, () => use(source, null, () => Promise.resolve(source.kind)));
  return new MockActivityEnvironment().run(work, null);
}

const handedBack = { type: 'RunLogUnavailable', nonRetryable: false };

describe('the folder of a run', () => {
  it('is known by its token', async () => {
    const log = new RunLog({ runId: 'mine', logDir });
    const token = await log.ensureToken();
    expect(await log.ensureToken()).toBe(token);
    expect(await attempt({ runId: 'mine', logDir, token })).toBe(join(logDir, 'mine'));
    expect(await attempt({ runId: 'mine', logDir })).toBe(join(logDir, 'mine'));
    expect(told).toEqual([]);
  });

  it('that the worker does not see leaves the work to another worker, however often', async () => {
    const run = { runId: 'mine', logDir, token: 'of-another-disk' };
    const attempt40 = { attempt: 41, heartbeatDetails: { packMisses: 40 } };
    const sentence = (reason: string) =>
      `waiting for a worker that sees ${logDir}/mine: the worker on ${hostname()} ${reason}; start one on a machine ` +
      `with this folder: \`npx tauflow worker --task-queue team --log-dir ${logDir}\``;
    await expect(attempt(run, undefined, { ...attempt40, taskQueue: 'team' })).rejects.toMatchObject({
      ...handedBack,
      nextRetryDelay: 4_000,
      message: sentence('has no such folder of a run'),
    });
    await new RunLog(run).ensureToken();
    await expect(attempt(run, undefined, { taskQueue: 'team' })).rejects.toMatchObject({
      ...handedBack,
      message: sentence('has another folder under that path'),
    });
    await expect(attempt(run, [join(place, 'else')], { taskQueue: 'team' })).rejects.toMatchObject({
      ...handedBack,
      message: sentence(`writes only in ${place}/else (--log-dir)`),
    });
    expect(readdirSync(join(logDir, 'mine'))).toEqual(['run-token']);
    expect(told).toHaveLength(3);
  });

  it('gets one token from processes that open it at the same time, also after one was killed at it', async () => {
    const logs = Array.from({ length: 20 }, () => new RunLog({ runId: 'mine', logDir }));
    const tokens = await Promise.all(logs.map((log) => log.ensureToken()));
    expect(new Set(tokens)).toEqual(new Set([await logs[0]?.readToken()]));
    mkdirSync(join(logDir, 'torn'));
    writeFileSync(join(logDir, 'torn', 'run-token'), '');
    const torn = new RunLog({ runId: 'torn', logDir });
    expect(await torn.readToken()).toBeNull();
    expect(await torn.ensureToken()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['../../x/.ssh', '..', '.', '', 'a/b', 'a\\b', 'a\0b', '/etc', 7 as unknown as string])(
    'is never outside of the log folder: %j',
    async (runId) => {
      await expect(attempt({ runId, logDir })).rejects.toMatchObject({ type: 'BadRequest', nonRetryable: true });
      expect(readdirSync(place)).toEqual([]);
    },
  );

  it('has an absolute path', async () => {
    await expect(attempt({ runId: 'mine', logDir: 'results' })).rejects.toMatchObject({ nonRetryable: true });
    await expect(attempt({ runId: 'mine' } as RunRef)).rejects.toMatchObject({ nonRetryable: true });
  });

  it('is in a folder that the worker writes to, links resolved', async () => {
    const outside = join(place, 'outside');
    mkdirSync(outside);
    mkdirSync(logDir);
    symlinkSync(outside, join(logDir, 'link'));
    symlinkSync(logDir, join(place, 'other-name'));
    expect(await attempt({ runId: 'new', logDir }, [logDir])).toBe(join(logDir, 'new'));
    expect(await attempt({ runId: 'new', logDir: join(place, 'other-name') }, [logDir])).toMatch(/other-name\/new$/);
    expect(await attempt({ runId: 'new', logDir: join(logDir, '..dots') }, [logDir])).toMatch(/\.\.dots\/new$/);
    for (const run of [
      { runId: 'new', logDir: outside },
      { runId: 'new', logDir: join(logDir, '..', 'outside') },
      { runId: 'new', logDir: `${logDir}-2` },
      { runId: 'link', logDir },
      { runId: 'new', logDir: join(logDir, 'link') },
    ]) {
      await expect(attempt(run, [logDir])).rejects.toMatchObject(handedBack);
    }
  });

  it('of a judge is checked as well, for what it reads and for what it writes', async () => {
    mkdirSync(logDir);
    const file = join(logDir, 'results.json');
    writeFileSync(file, '[]');
    const source = { kind: 'file', file, document: join(logDir, 'results.errors.json'), tasks: null } as const;
    expect(await judge(source, [logDir])).toBe('file');
    for (const path of [{ file: 'results.json' }, { document: 'results.errors.json' }, { document: `${file}l` }]) {
      await expect(judge({ ...source, ...path })).rejects.toThrow('absolute paths of JSON files');
    }
    await expect(judge({ ...source, document: '/etc/cron.json' }, [logDir])).rejects.toMatchObject(handedBack);
    await expect(judge({ ...source, document: join(logDir, '.bashrc') }, [logDir])).rejects.toMatchObject({
      nonRetryable: true,
    });
    await expect(judge({ ...source, file: join(logDir, 'gone.json') })).rejects.toMatchObject(handedBack);
    const run = { runId: 'mine', logDir, token: 'another' };
    await expect(judge({ kind: 'run', run })).rejects.toMatchObject(handedBack);
  });
});

describe('names of files', () => {
  it('are made of numbers, whatever an input has', async () => {
    const log = new RunLog({ runId: 'mine', logDir });
    const key = { taskId: '../../x' as unknown as number, trial: 0 };
    await expect(log.readEpisode(key)).rejects.toThrow(/not the name of an episode/);
    await expect(log.readFork({ taskId: 0, trial: 0 }, '../fork-1')).rejects.toThrow(/not the name of a fork/);
    await expect(log.archiveEpisode(key)).rejects.toThrow(/not the name of an episode/);
  });
});

describe('a run in a store', () => {
  const log = { logDir: 's3://bucket/team/runs', runId: 'mine', token: 'ours' };

  const use = (run: RunRef, logDirs: readonly string[] | undefined, token: string | null | Error = 'ours') => {
    const readToken = () => (token instanceof Error ? Promise.reject(token) : Promise.resolve(token));
    const store = { readToken, change: () => Promise.resolve('done') } as unknown as LogStore;
    const openStore = () => Promise.resolve(store);
    const warn = (message: string): void => void told.push(message);
    const folders = createRunFolders({ openStore, warn, ...(logDirs === undefined ? {} : { logDirs }) });
    const work = withAttempts(3, () => folders.use(run, WHOLE_RUN, () => Promise.resolve('')));
    return new MockActivityEnvironment().run(work, null);
  };

  it.each([
    [undefined, true],
    [['s3://bucket'], true],
    [['/results', 's3://bucket/team/runs'], true],
    [['s3://bucket/te'], false],
    [['s3://bucke'], false],
    [['/results'], false],
  ])('is written by a worker that may write to %s: %s', async (logDirs, isAllowed) => {
    const done = use(log, logDirs);
    if (isAllowed) expect(await done).toBe('done');
    else await expect(done).rejects.toMatchObject(handedBack);
  });

  it('is left to other workers by one that reaches another store, or none', async () => {
    await expect(use(log, undefined, null)).rejects.toMatchObject(handedBack);
    await expect(use(log, undefined, 'theirs')).rejects.toMatchObject(handedBack);
    await expect(use(log, undefined, new UsageError('no credentials'))).rejects.toThrow(
      /cannot open it \(no credentials\); start one with access to this store: `.* --log-dir s3:\/\/bucket\/team\/runs`$/,
    );
    expect(told).toHaveLength(3);
  });

  it('is refused under an address that no command writes', async () => {
    await expect(use({ ...log, logDir: 'S3://bucket/team/' }, undefined)).rejects.toMatchObject({ type: 'BadRequest' });
  });
});
