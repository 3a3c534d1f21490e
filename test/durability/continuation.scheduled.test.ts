/**
 * Reasoning that a model wants back survives SIGKILL of worker and server, byte for byte, and stays behind where a fork
 * continues with another provider's model. The services refuse what the real ones refuse.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { resolvePack } from '../../src/benchmarks/testing.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { KEY } from '../models/helpers.ts';
import { playChat } from '../models/wires/chat-player.ts';
import { MESSAGES_KEY, startStrictMessages, type StrictMessages } from '../models/wires/strict-messages.ts';
import { playedBy, startStrictResponses, type StrictResponses } from '../models/wires/strict-responses.ts';
import { Place } from './place.ts';
import { Tauflow, type Surroundings } from './processes.ts';

/** Generous: a shared machine slows processes down. */
vi.setConfig({ testTimeout: 300_000 });

const AT_ONCE = 3;
const TASKS = ['0', '1', '2', '3'];

let place: Place;
let scripted: ScriptedModel;
let responses: StrictResponses;
let messages: StrictMessages;
let surroundings: Surroundings;

/** Answers up to so many calls; later ones wait until there are more. */
const gate = {
  calls: 0,
  most: Infinity,
  waiting: [] as (() => void)[],
  arrived: () => {},
  async pass(): Promise<void> {
    this.calls += 1;
    if (this.calls <= this.most) return;
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      this.arrived();
    });
  },
  /** Settles when so many calls wait. */
  until(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.arrived = () => void (this.waiting.length >= count && resolve());
      this.arrived();
    });
  },
  open(most: number): void {
    this.most = most;
    for (const go of this.waiting.splice(0)) go();
  },
};

beforeAll(async () => {
  place = await Place.make();
  scripted = await startScriptedModel({ packs: [await resolvePack('retail')] });
  const play = playedBy(scripted.url);
  responses = await startStrictResponses(KEY, async (request) => {
    await gate.pass();
    return play(request);
  });
  messages = await startStrictMessages(playChat(scripted.url));
  const { cwd, env } = place.surroundings(scripted.url);
  const services = {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: responses.url,
    ANTHROPIC_API_KEY: MESSAGES_KEY,
    ANTHROPIC_BASE_URL: messages.url,
  };
  surroundings = { cwd, env: { ...env, ...services } };
});

afterAll(async () => {
  gate.open(Infinity);
  await place.clear();
  await Promise.all([responses.close(), messages.close(), scripted.close()]);
});

interface RecordFile {
  readonly reward: number;
  readonly fork?: { readonly changes: readonly string[] };
  readonly trajectory: readonly { readonly continuation?: { readonly provider: string } }[];
}

async function recordFile(...path: readonly string[]): Promise<{ text: string; record: RecordFile }> {
  const text = await readFile(join(place.folder, 'results', 'thinking', ...path), 'utf8');
  return { text, record: JSON.parse(text) as RecordFile };
}

it('is handed back as it was after worker and server were killed, and left behind by a fork to another model', async () => {
  const flags = [
    ...['--agent-strategy', 'tool-calling', '--model', 'gpt-5.6', '--model-provider', 'openai'],
    ...['--agent-model-settings', '{"wire": "responses", "reasoning_effort": "low"}'],
    ...['--user-model', 'oracle', '--user-model-provider', 'scripted'],
    ...['--task-ids', ...TASKS, '--max-concurrency', String(AT_ONCE)],
  ];
  gate.open(9);
  const first = Tauflow.start(['run', '--run-id', 'thinking', ...flags], surroundings);
  const resume = await first.resumeCommand();
  await gate.until(AT_ONCE);
  const inFlight = responses.bodies.slice(-AT_ONCE);
  expect(inFlight.join()).toContain('encrypted_content');
  await first.kill();
  await place.killServer();
  gate.open(Infinity);

  const second = Tauflow.type(resume, surroundings);
  expect(await second.ended, second.printed).toMatchObject({ code: 0 });
  expect(responses.refusals).toEqual([]);
  for (const body of inFlight) expect(responses.bodies.filter((other) => other === body)).toHaveLength(2);
  for (const task of TASKS) {
    const { record, text } = await recordFile('episodes', `task-${task}.trial-0.json`);
    expect(record.reward).toBe(1);
    expect(record.trajectory.some(({ continuation }) => continuation?.provider === 'openai')).toBe(true);
    expect(text).not.toContain(KEY);
  }

  const other = ['--model', 'claude-opus-4-8', '--model-provider', 'anthropic', '--temperature', 'default'];
  const wire = ['--agent-model-settings', '{"wire": "messages", "reasoning_effort": "high"}'];
  const words = ['fork', 'thinking', 'task-1.trial-0', '--at-step', '3', ...other, ...wire];
  const fork = Tauflow.start(words, surroundings);
  expect(await fork.ended, fork.printed).toMatchObject({ code: 0 });
  expect(messages.refusals).toEqual([]);
  expect(messages.bodies.join()).not.toContain('encrypted_content');
  const { record } = await recordFile('forks', 'task-1.trial-0.fork-1.json');
  expect(record.reward).toBe(1);
  expect(record.fork?.changes).toContain('reasoning of openai/gpt-5.6: left out, because only it can read it');
});
