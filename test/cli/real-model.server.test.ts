/** The path of a real model: a provider behind `OPENAI_BASE_URL`, and a key that must be nowhere to be seen. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { describe, expect, inject, it } from 'vitest';

import { startScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { environment, run, scratchFolder } from './in-process.ts';

const KEY = 'sk-dummy-5f2c9a7713e84b0d';
const WORDS =
  'run --agent-strategy tool-calling --env retail --model gpt-4o --model-provider openai --user-model gpt-4o ' +
  '--user-model-provider openai --user-strategy llm --max-concurrency 10 --task-ids 2 4 6 --shuffle 1 ' +
  '--few-shot-displays-path nowhere.jsonl --task-queue real-model --run-id real-model --max-cost 20';

/** Everything in a history, payloads included, as text. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textOf).join('\n');
}

async function historiesOf(workflowId: string): Promise<string[]> {
  const { address, namespace } = inject('temporal');
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace });
    const ids = [workflowId, ...['2', '4', '6'].map((task) => `${workflowId}/task-${task}/trial-0`)];
    return await Promise.all(ids.map(async (id) => textOf(await client.workflow.getHandle(id).fetchHistory())));
  } finally {
    await connection.close();
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('a command line of the reference', () => {
  it('runs against an OpenAI-compatible server, is priced, and shows the key to nobody', async () => {
    const model = await startScriptedModel({ packs: [await resolvePack('retail')] });
    const cwd = scratchFolder();
    const env = environment({
      TEMPORAL_ADDRESS: inject('temporal').address,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: KEY,
    });
    const { code, stdout, stderr } = await run(WORDS.split(' '), { cwd, env });
    expect(code, stderr).toBe(0);
    expect(model.stats().duplicates).toBe(0);
    await model.close();

    expect(stderr).toMatch(/^agent +tool-calling with openai\/gpt-4o$/m);
    expect(stderr).not.toContain('scripted');
    expect(stdout).toMatch(/average reward +1\.000 +3 of 3 episodes? succeeded/);
    const metrics = JSON.parse(readFileSync(join(cwd, 'results', 'real-model', 'metrics.json'), 'utf8')) as unknown;
    expect(metrics).toMatchObject({ episodes: 3, average_reward: 1 });
    expect(stdout).toMatch(/cost +\$0\.\d*[1-9]/);

    const files = filesUnder(cwd);
    expect(files.length).toBeGreaterThan(5);
    const histories = await historiesOf('real-model');
    // The search would find what is there.
    expect(histories[1]).toContain('get_order_details');
    for (const text of [stdout, stderr, ...histories, ...files.map((file) => readFileSync(file, 'utf8'))]) {
      expect(text).not.toContain(KEY);
    }
  });
});
