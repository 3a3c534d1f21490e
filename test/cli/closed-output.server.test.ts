/** Commands whose output nobody reads to its end, as real processes with real pipes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/packs/find.ts';
import { PROGRAM } from '../helpers/program.ts';
import { environment, scratchFolder } from './in-process.ts';
import { run, type Place } from './processes.ts';

const RUN = ['run', '--run-id', 'unread', '--task-queue', 'unread'];

let model: ScriptedModel;
let place: Place;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')], latencyMs: 300 });
  const { address } = inject('temporal');
  place = { cwd: scratchFolder(), env: environment({ TAUFLOW_SCRIPTED_URL: model.url, TEMPORAL_ADDRESS: address }) };
});

afterAll(() => model.close());

/** Closes both outputs as soon as one of them has printed the text. */
async function readTo(text: string, words: readonly string[]): Promise<number | null> {
  const [executable = '', ...args] = PROGRAM;
  const child = spawn(executable, [...args, ...words], {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      printed += more;
      if (!printed.includes(text)) return;
      child.stdout.destroy();
      child.stderr.destroy();
    });
  }
  const [code] = await ended;
  expect(printed).toContain(text);
  return code;
}

describe('a run whose output is closed', () => {
  it('ends as interrupted, and is resumed to its end', { timeout: 180_000 }, async () => {
    expect(await readTo('sweep started', [...RUN, '--end-index', '6', '--model', 'oracle'])).toBe(130);
    const ended = await run([...RUN, '--json'], place);
    expect(ended.code, ended.stderr).toBe(0);
    expect((JSON.parse(ended.stdout) as { tasks: unknown[] }).tasks).toHaveLength(6);
  });

  it('never says that it has ended well, also when it was closed at the first line', { timeout: 180_000 }, async () => {
    const words = ['run', '--run-id', 'unread-2', '--task-queue', 'unread', '--end-index', '6', '--model', 'oracle'];
    expect(await readTo('unread-2', words)).toBe(130);
  });
});

describe('a command that only prints', () => {
  it.each([[['list']], [['list', '--json']], [['run', '--help']]])('%s ends well', async (words) => {
    expect(await readTo('', words)).toBe(0);
  });
});
