/** `tauflow sync` and its store against a real S3 server, through a proxy that injects failures. */

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { PART_BYTES, isScratchName, openObjectStore, type ObjectStore } from '../../../src/io/index.ts';
import { NOWHERE, scratchFolder, tauflow } from '../../cli/in-process.ts';
import { endAll, start } from '../../cli/processes.ts';
import { makeRun } from '../../cli/reported-runs.ts';
import { motoPython, startMoto, startProxy, storeEnv, type Proxy, type Running } from './moto.ts';

const python = motoPython();

describe.skipIf(python === null)('with an S3 server', { timeout: 120_000 }, () => {
  let moto: Running;
  let proxy: Proxy;
  let store: ObjectStore;
  let env: Record<string, string>;
  let buckets = 0;
  let bucket = '';

  beforeAll(async () => {
    moto = await startMoto(python ?? '');
    proxy = await startProxy(moto.address);
    env = storeEnv(proxy);
    // Amazon's client reads credentials from the process.
    Object.assign(process.env, env);
  });

  beforeEach(async () => {
    proxy.fate = () => 'pass';
    bucket = `runs-${(buckets += 1)}`;
    await fetch(`${moto.address}/${bucket}`, { method: 'PUT' });
    store = await openObjectStore(bucket, env);
    proxy.counts.clear();
  });

  afterAll(async () => {
    await endAll();
    await proxy.close();
    await moto.close();
  });

  const sync = (cwd: string, ...words: string[]) => tauflow(['sync', ...words], { cwd, env });

  describe('the store', () => {
    const read = async (key: string, etag?: string) => {
      const object = await store.get(key, etag);
      if (object === null) return null;
      const pieces: Uint8Array[] = [];
      for await (const piece of object.pieces) pieces.push(piece);
      return Buffer.concat(pieces);
    };

    it('writes under a condition, and reads what was asked for', async () => {
      expect(await store.put('a', 'one', 'absent')).toBe(true);
      expect(await store.put('a', 'two', 'absent')).toBe(false);
      const etag = (await store.head('a'))?.etag ?? '';
      expect(await store.put('a', 'three', { etag })).toBe(true);
      expect(await store.put('a', 'four', { etag })).toBe(false);
      expect(await store.put('b', 'four', { etag })).toBe(false);
      expect(String(await read('a'))).toBe('three');
      expect(await read('a', etag)).toBeNull();
      expect([await read('b'), await store.head('b')]).toEqual([null, null]);
      await store.delete('a');
      await store.delete('a');
      expect(await store.head('a')).toBeNull();
    });

    it('lists page by page', async () => {
      const keys = Array.from({ length: 1003 }, (_, i) => `p/${String(i).padStart(4, '0')}`);
      for (let at = 0; at < keys.length; at += 50) {
        await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, '')));
      }
      await store.put('q', '');
      const pages: string[][] = [];
      for await (const page of store.list('p/')) pages.push(page.map(({ key }) => key));
      expect(pages.map(({ length }) => length)).toEqual([1000, 3]);
      expect(pages.flat()).toEqual(keys);
    });

    it('writes in parts what is large, also under a condition, and keeps no parts of what it does not write', async () => {
      const bytes = randomBytes(2 * PART_BYTES + 5);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      // eslint-disable-next-line @typescript-eslint/require-await -- read in the same way as a file is
      async function* pieces() {
        for (let at = 0; at < bytes.length; at += 1_000_000) yield bytes.subarray(at, at + 1_000_000);
      }
      expect(await store.putStream('large', pieces(), { sha256, condition: 'absent' })).toBe(true);
      expect((await store.head('large'))?.sha256).toBe(sha256);
      expect((await read('large'))?.equals(bytes)).toBe(true);
      expect(proxy.counts.get('PUT')).toBe(3);
      await store.put('other', 'theirs');
      const isWritten = await store.putStream('other', pieces(), { sha256, condition: { etag: '0'.repeat(32) } });
      expect(isWritten).toBe(false);
      expect(String(await read('other'))).toBe('theirs');
      expect(await (await fetch(`${moto.address}/${bucket}?uploads`)).text()).not.toContain('<UploadId>');
    });

    it('detects that a write with a lost answer was made, and continues an interrupted download', async () => {
      let lost = 0;
      proxy.fate = (method) => (method === 'PUT' && (lost += 1) === 1 ? 'lose answer' : 'pass');
      expect(await store.put('a', 'content', 'absent')).toBe(true);
      expect(lost).toBe(2);
      let cut = 0;
      proxy.fate = (method) => (method === 'GET' && (cut += 1) <= 2 ? 'cut answer' : 'pass');
      expect(String(await read('a'))).toBe('content');
    });
  });

  it('copies a run to a bucket and back, equal, and then only what differs', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 2);
    writeFileSync(join(cwd, 'results/mine/page.html'), randomBytes(PART_BYTES + 1));
    const there = `s3://${bucket}/team/runs`;
    const first = await sync(cwd, 'results', there);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^\d+ files copied \(8\.\d MB\), 0 unchanged$/);
    expect((await sync(cwd, 'results', there)).stdout).toMatch(/^0 files copied \(0 B\), \d+ unchanged$/);
    expect((await sync(cwd, there, 'copy', '--run-id', 'mine')).code).toBe(0);
    expect(filesBelow(join(cwd, 'copy'))).toEqual(filesBelow(join(cwd, 'results')));
    const { stdout } = await sync(cwd, there, 'copy', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ copied: 0, bytes: 0, problems: [] });
    const reports = await Promise.all(
      ['results', 'copy'].map((folder) => tauflow(['report', 'mine', '--log-dir', folder, '--json'], { cwd })),
    );
    expect(reports[0]?.code).toBe(0);
    expect(reports[1]?.stdout.replaceAll('copy', 'results')).toBe(reports[0]?.stdout.replaceAll('copy', 'results'));
  });

  it('asks the store once for each new file, and once for each thousand otherwise', async () => {
    const cwd = scratchFolder();
    manyEpisodes(cwd, 100);
    await sync(cwd, 'results', `s3://${bucket}`);
    expect(Object.fromEntries(proxy.counts)).toEqual({ LIST: 1, PUT: 101 });
    proxy.counts.clear();
    await sync(cwd, 'results', `s3://${bucket}`);
    expect(Object.fromEntries(proxy.counts)).toEqual({ LIST: 1 });
    proxy.counts.clear();
    await sync(cwd, `s3://${bucket}`, 'copy');
    expect(Object.fromEntries(proxy.counts)).toEqual({ LIST: 2, GET: 101 });
  });

  it('copies everything from and to a store that refuses, loses and cuts every few requests', async () => {
    const cwd = scratchFolder();
    manyEpisodes(cwd, 30);
    let asked = 0;
    proxy.fate = (method) => {
      asked += 1;
      if (asked % 7 === 0) return 'refuse';
      if (asked % 11 === 0 && method === 'PUT') return 'lose answer';
      return asked % 5 === 0 && method === 'GET' ? 'cut answer' : 'pass';
    };
    expect(await sync(cwd, 'results', `s3://${bucket}`)).toMatchObject({ code: 0, stderr: '' });
    expect(await sync(cwd, `s3://${bucket}`, 'copy')).toMatchObject({ code: 0, stderr: '' });
    expect(filesBelow(join(cwd, 'copy'))).toEqual(filesBelow(join(cwd, 'results')));
  });

  it.each(['results', 'copy'] as const)('is completed by the next one after a kill on the way to %s', async (to) => {
    const cwd = scratchFolder();
    manyEpisodes(cwd, 60);
    const there = `s3://${bucket}/p`;
    const words = to === 'copy' ? [there, 'copy'] : ['results', there];
    if (to === 'copy') await sync(cwd, 'results', there);
    const kind = to === 'copy' ? 'GET' : 'PUT';
    let asked = 0;
    const reached = new Promise<void>((resolve) => {
      proxy.fate = (method) => {
        if (method === kind) asked += 1;
        if (asked > 20) resolve();
        return asked > 20 ? 'hold' : 'pass';
      };
    });
    const killed = start(['sync', ...words], { cwd, env: { ...process.env, ...NOWHERE, ...env } });
    await reached;
    killed.signal('SIGKILL');
    await expect(killed.ended).rejects.toThrow('SIGKILL');
    proxy.fate = () => 'pass';
    const isMarked = to === 'copy' ? filesBelow(join(cwd, 'copy')).has('r/run.json') : await store.head('p/r/run.json');
    expect(isMarked).toBe(to === 'copy' ? false : null);
    const { code, stdout } = await sync(cwd, ...words);
    expect(code).toBe(0);
    expect(Number(/(\d+) unchanged/.exec(stdout)?.[1])).toBeGreaterThan(5);
    if (to === 'results') await sync(cwd, there, 'copy');
    expect(filesBelow(join(cwd, 'copy'))).toEqual(filesBelow(join(cwd, 'results')));
  });

  it('can be interrupted, and prints that the same command continues', async () => {
    const cwd = scratchFolder();
    manyEpisodes(cwd, 60);
    const syncing = start(['sync', 'results', `s3://${bucket}`], { cwd, env: { ...process.env, ...NOWHERE, ...env } });
    let asked = 0;
    proxy.fate = (method) => {
      if (method === 'PUT' && (asked += 1) === 10) syncing.signal('SIGINT');
      return 'pass';
    };
    const { code, stderr } = await syncing.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'interrupted; the same command copies the rest\n' });
    expect(await store.head('r/run.json')).toBeNull();
  });

  it.each([
    ['a bucket that is not there', ['results', 's3://no-such-bucket/p'], 2, /there is no bucket no-such-bucket/],
    ['a run that is not there', ['s3://BUCKET', 'copy', '--run-id', 'none'], 2, /has no run none/],
    ['two folders', ['results', 'copy'], 2, /one of the two must be an s3:\/\/ address/],
    ['two buckets', ['s3://a12', 's3://b12'], 2, /one of the two must be an s3:\/\/ address/],
    ['a folder that is not there', ['nowhere', 's3://a12'], 2, /there is no log folder nowhere/],
  ])('refuses %s in a sentence', async (_what, words, expected, sentence) => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'results'));
    const { code, stderr, stdout } = await sync(cwd, ...words.map((word) => word.replace('BUCKET', bucket)));
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^error: [^\n]+$/);
  });

  it('reports that the store does not answer', async () => {
    const away = { ...env, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' };
    const { code, stderr } = await tauflow(['sync', 's3://a12', 'copy'], { env: away });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: [^\n]*127\.0\.0\.1:1 could not be reached \(ECONNREFUSED\)[^\n]*$/);
  });
});

/** A run that has a record, unlike the others, for each of its episodes. */
function manyEpisodes(cwd: string, count: number): void {
  mkdirSync(join(cwd, 'results/r/episodes'), { recursive: true });
  for (let i = 0; i < count; i += 1) {
    writeFileSync(
      join(cwd, `results/r/episodes/task-${i}.trial-0.json`),
      JSON.stringify({ i, text: 'x'.repeat(5_000) }),
    );
  }
  writeFileSync(join(cwd, 'results/r/run.json'), '{}');
}

/** Content of all files, unfinished ones and those that belong to their folder aside. */
function filesBelow(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isScratchName(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !/\/(?:rows\.jsonl|run-token)$/.test(name))
    .sort();
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return new Map(names.map((name) => [name, digest(name)]));
}
