/** A sweep over Anthropic's Messages, against a server as strict as the service, does what one over chat completions does. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import { resolvePack } from '../../../src/packs/find.ts';
import { startScriptedModel } from '../../../src/scripted-model/index.ts';
import { environment, scratchFolder } from '../../cli/in-process.ts';
import { run } from '../../cli/processes.ts';
import { playChat } from './chat-player.ts';
import { MESSAGES_KEY, startStrictMessages } from './strict-messages.ts';

const TASKS = ['2', '4', '6'];
const SWEEP =
  'run --agent-strategy tool-calling --env retail --model claude-sonnet-4-5 --model-provider anthropic ' +
  `--user-model claude-sonnet-4-5 --user-model-provider anthropic --user-strategy llm --task-ids ${TASKS.join(' ')}`;

interface Episode {
  readonly task: string;
  readonly reward: number;
  readonly actions: unknown;
}

interface RecordFile {
  readonly reward: number;
  readonly actions: unknown;
  readonly usage: readonly {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly cached_tokens: number;
    readonly cache_write_tokens?: number;
    readonly cost_usd: number;
  }[];
}

it(
  'has the same actions and rewards, all thoughts handed back, and its cache paid for',
  { timeout: 300_000 },
  async () => {
    const model = await startScriptedModel({ packs: [await resolvePack('retail')] });
    const server = await startStrictMessages(playChat(model.url));
    const cwd = scratchFolder();
    const env = environment({
      TEMPORAL_ADDRESS: inject('temporal').address,
      ANTHROPIC_API_KEY: MESSAGES_KEY,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_OPENAI_BASE_URL: model.url,
    });
    const sweep = async (name: string, ...words: string[]) => {
      const ids = ['--task-queue', `messages-${name}`, '--run-id', `messages-${name}`];
      const { code, stderr, stdout } = await run([...SWEEP.split(' '), ...ids, ...words], { cwd, env });
      expect(code, stderr + stdout).toBe(0);
      return recordsOf(join(cwd, 'results', `messages-${name}`));
    };
    const settings = JSON.stringify({ wire: 'messages', reasoning_effort: 'high' });
    const chat = await sweep('chat', '--wire', 'chat', '--user-wire', 'chat');
    const messages = await sweep(
      'own',
      '--agent-model-settings',
      settings,
      '--user-model-settings',
      '{"wire": "messages"}',
    );
    await model.close();
    await server.close();

    expect(server.refusals).toEqual([]);
    expect(server.requests.length).toBeGreaterThan(20);
    expect(messages.map(summaryOf)).toEqual(chat.map(summaryOf));
    expect(messages.every(({ record }) => record.reward === 1)).toBe(true);
    const thoughts = server.bodies.filter((body) => body.includes('"type": "thinking"'));
    expect(thoughts.length).toBeGreaterThan(5);

    const usage = messages.flatMap(({ record }) => record.usage);
    const prompt = sumOf(usage.map((role) => role.prompt_tokens));
    const cached = sumOf(usage.map((role) => role.cached_tokens));
    const written = sumOf(usage.map(({ cache_write_tokens: tokens = 0 }) => tokens));
    const completion = sumOf(usage.map((role) => role.completion_tokens));
    expect(written).toBeGreaterThan(5000);
    expect(cached).toBeGreaterThan(prompt / 2);
    // The model's prices: 3 USD a million in, 0.30 from the cache, 3.75 into it, 15 out.
    const millionths = (prompt - cached - written) * 3 + cached * 0.3 + written * 3.75 + completion * 15;
    expect(sumOf(usage.map((role) => role.cost_usd))).toBeCloseTo(millionths / 1e6, 9);
  },
);

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

interface Found {
  readonly task: string;
  readonly record: RecordFile;
}

function summaryOf({ task, record }: Found): Episode {
  return { task, reward: record.reward, actions: record.actions };
}

function recordsOf(folder: string): Found[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    /^task-.*\.json$/.test(name),
  );
  return files
    .map(({ name, parentPath }) => ({
      task: name,
      record: JSON.parse(readFileSync(join(parentPath, name), 'utf8')) as RecordFile,
    }))
    .toSorted((a, b) => a.task.localeCompare(b.task));
}
