import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';

import { findRetirement, listModels, readModelList, retirementWarnings } from '../../src/models/index.ts';
import { keepModelList, readAnnounced } from '../../src/models/testing.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { USUAL_USER, type ModelSettings } from '../../src/evaluation/index.ts';
import { scratchFolder } from '../cli/in-process.ts';

const openai = (model: string): ModelSettings => ({ provider: 'openai', model, temperature: null });
const OPENAI = 'https://developers.openai.com/api/docs/deprecations';

/** A server with this list of models, and the environment that has it as OpenAI's. */
async function serveModels(data: readonly object[]) {
  const server = createServer((_, response) => response.end(JSON.stringify({ object: 'list', data })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { server, env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url } };
}

describe('the retirement of a model', () => {
  it('is that of the list, with its source and the successor', async () => {
    const home = scratchFolder();
    expect(await findRetirement(openai('gpt-4o'), home)).toEqual({
      model: 'openai/gpt-4o',
      date: '2027-01-14',
      source: OPENAI,
      successor: 'gpt-6-luna',
    });
    expect(await findRetirement(openai('gpt-nobody-knows'), home)).toBeNull();
  });

  it('is reported from 60 days before, once for all roles of a model', async () => {
    const home = scratchFolder();
    const models = { agentModel: openai('gpt-4o'), userModel: openai('gpt-4o'), judgeModel: openai('gpt-5') };
    const warn = (day: string) => retirementWarnings(models, home, new Date(`${day}T12:00:00Z`));
    expect(await warn('2026-09-01')).toEqual([]);
    expect(await warn('2026-11-28')).toEqual([
      `openai/gpt-4o (agent, user) retires on 2027-01-14, in 47 days (${OPENAI}): move to gpt-6-luna, and compare a ` +
        'run on both with `tauflow compare` to keep the series (docs/compare.md).',
      expect.stringMatching(/^openai\/gpt-5 \(judge\) retires on 2026-12-11, in 13 days /) as string,
    ]);
    expect((await warn('2027-01-14'))[0]).toMatch(/^openai\/gpt-4o \(agent, user\) retired on 2027-01-14 \(/);
  });

  it('is not near for the usual simulated user', async () => {
    const userModel = { ...USUAL_USER, temperature: null };
    const taken = new Date((await readModelList(scratchFolder())).taken);
    expect(await retirementWarnings({ agentModel: null, userModel }, scratchFolder(), taken)).toEqual([]);
  });

  it('is what the provider’s own list says, where that has dates', async () => {
    const { server, env } = await serveModels([
      { id: 'gpt-4o', shutdown_date: null },
      { id: 'gpt-6-luna', shutdown_date: '2027-09-01' },
      { id: 'gpt-5', expiration_date: '2026-12-24' },
      { id: 'o3' },
      { id: 'odd', shutdown_date: 'soon' },
    ]);
    try {
      expect(await listModels(resolveProvider('openai', env), 5_000)).toHaveLength(5);
      const announced = await readAnnounced(env);
      const home = scratchFolder();
      const list = await readModelList(home);
      await keepModelList(home, { ...list, announced: Object.fromEntries(announced) });
      expect(await findRetirement(openai('gpt-4o'), home)).toBeNull();
      expect(await findRetirement(openai('gpt-6-luna'), home)).toEqual({
        model: 'openai/gpt-6-luna',
        date: '2027-09-01',
        source: "openai's own list of models",
        successor: null,
      });
      expect(await findRetirement(openai('gpt-5'), home)).toMatchObject({ date: '2026-12-24' });
      expect(await findRetirement(openai('o3'), home)).toMatchObject({ date: '2026-12-11' });
      expect(await readAnnounced({})).toEqual(new Map());
    } finally {
      server.close();
    }
    expect(await listModels(resolveProvider('openai', env), 5_000)).toBeNull();
  });
});
