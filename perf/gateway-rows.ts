/** Rows of a gateway with many episodes open at once: memory, and time of calls that do nothing else. */

import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { startGateway, type TurnBinding } from '../src/agent-service/index.ts';
import type { Pack } from '../src/benchmarks/packs/index.ts';
import { toolSchemas } from '../src/models/prompts/index.ts';
import { bytes, count, median, ms, type Row } from './table.ts';

const OPEN = 1_000;
const ROUNDS = 4;
/** Time that a model takes, over which the episodes begin one after the other. @unit milliseconds */
const LATENCY_MS = 10_000;
/** Characters that a round adds to a conversation. */
const ADDED = 5_000;

/** Opens the episodes, and has each of them call a model and a tool, again and again. */
export async function gatewayRows(pack: Pack): Promise<Row[]> {
  const section = `Gateway, ${OPEN} episodes open in one process, ${ROUNDS} model calls and tool calls of each`;
  const gateway = await startGateway();
  const reply = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x'.repeat(ADDED / 2) } }] });
  let whole = 0;
  let refused = 0;
  const createBinding = (episode: string): TurnBinding => ({
    episode,
    ...{ request: 1, attempt: 1 },
    model: { provider: 'scripted', model: 'oracle' },
    toolCall: () => Promise.resolve({ observation: 'x'.repeat(ADDED / 2), done: false }),
    modelCall: async ({ transcript }) => {
      whole += transcript.keep === 0 ? 1 : 0;
      await delay(LATENCY_MS);
      return { status: 200, body: reply };
    },
  });
  const rss = () => process.memoryUsage.rss();
  const before = rss();
  try {
    const turns = Array.from({ length: OPEN }, (_, at) => gateway.open(createBinding(`bench/${at}`)));
    const opened = rss();
    const times = { model: [] as number[], tool: [] as number[] };
    const call = async (kind: keyof typeof times, url: string, body: object) => {
      const started = performance.now();
      if ((await post(url, JSON.stringify(body))) !== 200) refused += 1;
      times[kind].push(performance.now() - started - (kind === 'model' ? LATENCY_MS : 0));
    };
    const play = async (at: number) => {
      const turn = turns[at];
      if (turn === undefined) return;
      await delay((at * LATENCY_MS) / OPEN);
      const messages = [{ role: 'system', content: pack.policy }];
      for (let round = 1; round <= ROUNDS; round++) {
        messages.push({ role: 'user', content: `${at} ${round} `.padEnd(ADDED, 'x') });
        await call('model', `${turn.openaiUrl}/chat/completions`, { model: 'm', messages, tools: toolSchemas(pack) });
        await call('tool', turn.toolsUrl, { name: 'think', arguments: { thought: 'x' } });
      }
    };
    await Promise.all(turns.map((_, at) => play(at)));
    const after = rss();
    await Promise.all(turns.map((turn) => turn.close()));
    const row = (name: string, measured: Row['measured'], note?: string): Row => ({
      section,
      name,
      measured,
      ...(note === undefined ? {} : { note }),
    });
    return [
      row('memory, opened', bytes(opened - before)),
      row('memory, after all calls', bytes(after - before), 'gateway and clients in one process'),
      row(
        'model call, beside the model',
        ms(median(times.model)),
        `longest ${Math.round(Math.max(...times.model))} ms`,
      ),
      row('tool call', ms(median(times.tool)), `longest ${Math.round(Math.max(...times.tool))} ms`),
      {
        ...row('conversations sent whole', count(whole)),
        baseline: { ...count(OPEN), what: 'episodes' },
        target: { atMost: 1, of: 'ratio' },
      },
      { ...row('calls refused', count(refused)), target: { atMost: 0, of: 'measured' } },
    ];
  } finally {
    await gateway.close();
  }
}

/** Clients wait for a connection as long as it takes: all of them and the gateway share one thread. */
const agent = new Agent({ keepAlive: true });

/** @returns the status */
async function post(url: string, body: string): Promise<number> {
  const sent = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await text(response);
  return response.statusCode ?? 0;
}
