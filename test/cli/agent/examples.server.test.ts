/** The agents of examples/ by themselves: what their authors' terminal shows. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

it.each([
  ['python3', 'python-agent/agent.py'],
  ['node', 'node-agent/agent.mjs'],
])('%s %s prints nothing when a request is broken off', async (program, file) => {
  const agent = spawn(program, [file, '0'], { cwd: examples, stdio: ['ignore', 'pipe', 'pipe'] });
  const model = createServer().listen(0, '127.0.0.1');
  let printed = '';
  agent.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const closed = once(agent, 'close');
  try {
    await once(model, 'listening');
    const [line] = (await once(createInterface({ input: agent.stdout }), 'line')) as [string];
    const url = /http:\S+/.exec(line)?.[0] ?? '';
    const model_url = `http://127.0.0.1:${String((model.address() as AddressInfo).port)}`;
    const body = JSON.stringify({ policy: '', conversation: [], tools: [], model_url });
    const reply = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x'.repeat(1_000_000) } }] });

    const brokenOff = request(url, { method: 'POST', headers: { 'content-length': body.length } });
    const isClosed = new Promise((resolve) => brokenOff.on('error', () => undefined).on('close', resolve));
    brokenOff.end(body);
    const [, asked] = (await once(model, 'request')) as [unknown, ServerResponse];
    brokenOff.socket?.resetAndDestroy();
    await isClosed;
    asked.end(reply);

    model.on('request', (_, response: ServerResponse) => response.end(reply));
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  } finally {
    agent.kill();
    model.close();
    model.closeAllConnections();
    await closed;
  }
  expect(printed).toBe('');
});
