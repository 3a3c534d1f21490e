import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  cachedBinaryPath,
  findBinary,
  locateBinary,
  parseVersions,
  type BinaryOptions,
} from '../../../src/temporal/server/testing.ts';

let root: string;
let asked: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tauflow-binary-'));
  asked = [];
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** A program that answers as the Temporal CLI does. */
async function program(path: string, serverVersion = '1.29.1'): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho "temporal version 1.5.1 (Server ${serverVersion}, UI 2.42.1)"\n`);
  await chmod(path, 0o755);
  return path;
}

/** Both ways to obtain the CLI, of which none works unless told. */
function options(env: NodeJS.ProcessEnv, works: { download?: boolean; build?: boolean } = {}): BinaryOptions {
  const way = (name: 'download' | 'build') => async (target: string) => {
    asked.push(name);
    if (works[name] !== true) throw new Error(`no ${name} today\nand a stack`);
    await program(target);
  };
  return { home: join(root, 'home'), env, download: way('download'), build: way('build') };
}

test('TEMPORAL_CLI_PATH wins over everything else', async () => {
  const configured = await program(join(root, 'own', 'my-temporal'));
  await program(join(root, 'bin', 'temporal'));
  const env = { TEMPORAL_CLI_PATH: configured, PATH: join(root, 'bin') };
  expect(await findBinary(options(env))).toMatchObject({ path: configured, origin: 'configured' });
});

test('a TEMPORAL_CLI_PATH that is no Temporal CLI is an error, not a reason to look elsewhere', async () => {
  await program(join(root, 'bin', 'temporal'));
  const text = join(root, 'notes.txt');
  await writeFile(text, 'hello');
  for (const path of [text, join(root, 'missing')]) {
    const env = { TEMPORAL_CLI_PATH: path, PATH: join(root, 'bin') };
    const message = `TEMPORAL_CLI_PATH names ${path}, which is no Temporal CLI that runs here; correct it or unset it`;
    await expect(findBinary(options(env))).rejects.toMatchObject({ kind: 'binary-unusable', message });
  }
});

test('the first temporal on the PATH is used before the cached one', async () => {
  const path = await program(join(root, 'bin', 'temporal'));
  await program(cachedBinaryPath(join(root, 'home')));
  const env = { PATH: [join(root, 'empty'), join(root, 'bin')].join(delimiter) };
  expect(await findBinary(options(env))).toEqual({
    path,
    origin: 'path',
    cliVersion: '1.5.1',
    serverVersion: '1.29.1',
  });
  expect(asked).toEqual([]);
});

test('a temporal on the PATH that is too old or something else is passed over', async () => {
  await program(join(root, 'old', 'temporal'), '1.22.4');
  const other = await program(join(root, 'other', 'temporal'));
  await writeFile(other, '#!/bin/sh\necho "temporal calendars 3.1"\n');
  const cached = await program(cachedBinaryPath(join(root, 'home')));
  const lines: string[] = [];
  const env = { PATH: [join(root, 'old'), join(root, 'other')].join(delimiter) };
  const found = await findBinary({ ...options(env), onProgress: (line) => lines.push(line) });
  expect(found).toMatchObject({ path: cached, origin: 'cached' });
  expect(lines).toEqual([`${join(root, 'old', 'temporal')} holds Temporal server 1.22.4, older than 1.25.0: not used`]);
});

test('without any, it is downloaded into the home folder, and found there from then on', async () => {
  const found = await findBinary(options({ PATH: '' }, { download: true, build: true }));
  expect(found).toMatchObject({ path: cachedBinaryPath(join(root, 'home')), origin: 'downloaded' });
  expect(asked).toEqual(['download']);
  expect(await findBinary(options({ PATH: '' }))).toMatchObject({ origin: 'cached' });
  expect(asked).toEqual(['download']);
});

test('where the download fails it is built', async () => {
  const found = await findBinary(options({}, { build: true }));
  expect(found).toMatchObject({ path: cachedBinaryPath(join(root, 'home')), origin: 'built' });
  expect(asked).toEqual(['download', 'build']);
});

test('where nothing works, one sentence says why and the three ways out', async () => {
  const failure = await findBinary(options({})).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'binary-missing' });
  const { message } = failure as Error;
  expect(message).not.toContain('\n');
  for (const part of ['no download today', 'no build today', 'Temporal CLI', 'TEMPORAL_ADDRESS', 'install Go']) {
    expect(message).toContain(part);
  }
});

test('a home folder that cannot be made is one sentence', async () => {
  await writeFile(join(root, 'home'), '');
  await expect(findBinary(options({}))).rejects.toMatchObject({ kind: 'state-unwritable' });
});

test('looking for it never obtains it', async () => {
  expect(await locateBinary(options({}, { download: true, build: true }))).toBeNull();
  expect(asked).toEqual([]);
});

test.each([
  ['temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)', { cliVersion: '1.5.1', serverVersion: '1.29.1' }],
  ['temporal version 0.0.0-DEV (Server 1.29.1, UI 2.42.1)\n', { cliVersion: '0.0.0-DEV', serverVersion: '1.29.1' }],
  [
    'temporal version 1.6.0-rc1 (Server 1.30.0-148.4, UI 2.43)',
    { cliVersion: '1.6.0-rc1', serverVersion: '1.30.0-148.4' },
  ],
  ['tctl version 1.18', null],
  ['', null],
])('versions are read from %j', (output, versions) => {
  expect(parseVersions(output)).toEqual(versions);
});
