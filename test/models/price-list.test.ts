/** A newer list of prices, taken from a file or a server and kept for later commands. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keepPricesIn, refreshPrices } from '../../src/models/price-list.ts';
import { pricePerMillion } from '../../src/models/prices.ts';
import { scratchFolder, tauflow } from '../cli/in-process.ts';

const model = (id: string, input: number) => ({
  id,
  match: { equals: id },
  prices: { input_mtok: input, output_mtok: 2 * input },
});
const provider = (id: string, models: object[]) => ({ id, name: id, api_pattern: id, models });
const OLDER = [provider('moonshotai', [model('kimi-k3', 3)])];
const NEWER = [provider('moonshotai', [model('kimi-k3', 2), model('kimi-k3.1-pro', 4)])];

const inFile = (list: unknown): string => {
  const file = join(scratchFolder(), 'list.json');
  writeFileSync(file, JSON.stringify(list));
  return file;
};

afterEach(() => {
  keepPricesIn(scratchFolder());
});

describe('a newer list of prices', () => {
  it('is kept, used and compared with the one before', async () => {
    const home = scratchFolder();
    await refreshPrices(inFile(OLDER), home, '2026-11-01');
    expect(pricePerMillion('moonshot', 'kimi-k3.1-pro')).toBeNull();
    expect(await refreshPrices(inFile(NEWER), home, '2026-11-27')).toEqual({
      added: ['moonshot/kimi-k3.1-pro'],
      removed: [],
      changed: ['moonshot/kimi-k3'],
    });
    expect(pricePerMillion('moonshot', 'kimi-k3.1-pro')).toMatchObject({ input: 4, output: 8 });
    keepPricesIn(home);
    expect(pricePerMillion('moonshot', 'kimi-k3')).toMatchObject({ input: 2 });
  });

  it('is taken from a server, and its date is shown with each model', async () => {
    const server = createServer((_, response) => response.end(JSON.stringify(NEWER))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data.json`;
    const env = { TAUFLOW_HOME: scratchFolder() };
    const refreshed = await tauflow(['models', '--refresh', '--source', source], { env }).finally(() => server.close());
    expect(refreshed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/added +1: moonshot\/kimi-k3\.1-pro/) as string,
    });
    const { stdout } = await tauflow(['models', 'moonshot/kimi-k3.1-pro'], { env });
    expect(stdout).toMatch(/USD per million +input 4,.* output 8\n/);
    expect(stdout).toMatch(/prices +http:\S+, \d{4}-\d\d-\d\d/);
  });

  it.each([
    ['another document', inFile({ models: [] }), /is not a list of prices; nothing was changed/],
    [
      'a file that is not there',
      '/nowhere/list.json',
      /prices cannot be read from \/nowhere\/list\.json: ENOENT.*--source/,
    ],
  ])('is refused where it is %s', async (_, source, message) => {
    const { code, stderr } = await tauflow(['models', '--refresh', '--source', source]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('shows a name that the list of models does not have as newer than it', async () => {
    const { stdout } = await tauflow(['models', 'openai/gpt-9']);
    expect(stdout).toMatch(/listed +no: it is newer than the list of 2026-\d\d-\d\d, or has another name/);
  });
});
