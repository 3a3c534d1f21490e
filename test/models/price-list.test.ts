/** A newer list of prices, taken from a file or a server and kept for later commands. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keepPricesIn, readModelList, refreshLists } from '../../src/models/index.ts';
import { pricePerMillion } from '../../src/models/testing.ts';
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
    await refreshLists([inFile(OLDER)], home, '2026-11-01');
    expect(pricePerMillion('moonshot', 'kimi-k3.1-pro')).toBeNull();
    expect(await refreshLists([inFile(NEWER)], home, '2026-11-27')).toEqual({
      prices: { added: ['moonshot/kimi-k3.1-pro'], removed: [], changed: ['moonshot/kimi-k3'] },
    });
    expect(pricePerMillion('moonshot', 'kimi-k3.1-pro')).toMatchObject({ input: 4, output: 8 });
    keepPricesIn(home);
    expect(pricePerMillion('moonshot', 'kimi-k3')).toMatchObject({ input: 2 });
  });

  it('is downloaded, and its date is shown with each model', async () => {
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
    ['another document', inFile({ models: [] }), /is a list neither of prices nor of models; nothing was changed/],
    [
      'a file that is not there',
      '/nowhere/list.json',
      /no list can be read from \/nowhere\/list\.json: ENOENT.*--source/,
    ],
  ])('is refused if it is %s', async (_, source, message) => {
    const { code, stderr } = await tauflow(['models', '--refresh', '--source', source]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('is refused before another list is kept', async () => {
    const env = { TAUFLOW_HOME: scratchFolder() };
    const words = ['models', '--refresh', '--source', inFile(LISTED), inFile([]), '/dev/zero'];
    expect(await tauflow(words, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error: no list can be read from \/dev\/zero: it is no file; .*--source\.$/,
      ) as string,
    });
    expect((await tauflow(['models', 'openai/gpt-9'], { env })).stdout).toMatch(/listed +no: it is newer/);
  });
});

/** A list in LiteLLM's form. */
const LISTED = {
  sample_spec: { mode: 'one of: chat, embedding' },
  'gpt-9': { ...listed('openai'), supports_sampling_params: true, reasoning_effort_levels: ['low', 'ultra'] },
  'openrouter/acme/thinker-1': { ...listed('openrouter'), supports_reasoning: true },
  'gpt-9-image': { ...listed('openai'), mode: 'image_generation' },
};

function listed(litellm_provider: string) {
  return { litellm_provider, mode: 'chat', supports_function_calling: true };
}

describe('a newer list of models', () => {
  it('is kept beside the prices, compared, and shown with its date', async () => {
    const env = { TAUFLOW_HOME: scratchFolder() };
    const words = ['models', '--refresh', '--source', inFile(NEWER), inFile(LISTED)];
    const { code, stdout } = await tauflow([...words, '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      prices: { added: ['moonshot/kimi-k3.1-pro'] },
      models: { added: ['openai/gpt-9', 'openrouter/thinker-1'], changed: [] },
      contradictions: ['openai/gpt-9 takes the effort ultra', 'openrouter/thinker-1 reasons, and no rule names it'],
    });
    const today = new Date().toISOString().slice(0, 10);
    expect((await tauflow(['models', 'openai/gpt-9'], { env })).stdout).toMatch(/listed +reasons false/);
    expect((await tauflow(['models'], { env })).stdout).toMatch(new RegExp(`models +/.*list\\.json, ${today} `));
    const again = await tauflow(words, { env });
    expect(again.stdout).toMatch(/Facts about models\n+ *added +none\n *removed +none\n *changed +none\n/);
  });

  it('is ignored if it is damaged or older than the shipped one', async () => {
    const home = scratchFolder();
    await refreshLists([inFile(LISTED)], home, '2026-01-01');
    const shipped = await readModelList(home);
    expect(shipped.source).toMatch(/of the Python package litellm/);
    writeFileSync(join(home, 'models', 'capabilities.json'), '{"taken": "2099-01-01"');
    expect(await readModelList(home)).toEqual(shipped);
  });

  it('does not have names that are newer', async () => {
    const { stdout } = await tauflow(['models', 'openai/gpt-9']);
    expect(stdout).toMatch(/listed +no: it is newer than the list of 2026-\d\d-\d\d, or has another name/);
  });
});
