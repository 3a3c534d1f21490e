/** Agents made with the Python SDK: A2A_PYTHON and A2A_03_PYTHON name interpreters that have `a2a-sdk` 1.x and 0.3.x. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askAgent, findAgent, type AgentService } from '../../../src/agent-service/index.ts';
import { eventually } from '../../helpers/eventually.ts';
import { findPython } from '../../helpers/python.ts';
import { answering, serve } from '../../helpers/stub-service.ts';
import { REQUEST } from './helpers.ts';

const python = findPython('A2A_PYTHON', 'agents on a2a-sdk 1.x') ?? '';
const oldPython = findPython('A2A_03_PYTHON', 'agents on a2a-sdk 0.3') ?? '';
const TIME = { timeoutMs: 30_000 };

const CALL = { name: 'get_order_details', arguments: '{"order_id": "#W1"}' };
const CALLS = { content: null, tool_calls: [{ id: 'c1', type: 'function', function: CALL }] };
const SAYS = { content: 'It is on its way.' };

async function startAgent(executable: string, script: string, words: readonly string[]): Promise<AgentService> {
  const port = await getPort();
  const folder = fileURLToPath(new URL('../../fixtures/a2a/', import.meta.url));
  const child = spawn(executable, [script, String(port), ...words], { cwd: folder, stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const found = await eventually(async () => await findAgent({ url: `http://127.0.0.1:${port}` }, TIME));
  return found.service;
}

/** A model that calls a tool first, and then speaks. */
async function model(): Promise<string> {
  const { url } = await serve((received, response) => {
    const message = received.body.includes('"role": "tool"') ? SAYS : CALLS;
    answering(200, JSON.stringify({ choices: [{ message }] }))(received, response);
  });
  return url;
}

describe.skipIf(python === '' || oldPython === '')('an agent made with a2a-sdk', { timeout: 90_000 }, () => {
  it.each([
    ['1.x, in words over JSON-RPC', python, 'agent_1_x.py', ['text', 'JSONRPC'], 'text'],
    ['1.x, in words over HTTP+JSON', python, 'agent_1_x.py', ['text', 'HTTP+JSON'], 'text'],
    ['1.x, as data over HTTP+JSON', python, 'agent_1_x.py', ['data', 'HTTP+JSON'], 'data'],
    ['0.3, in words', oldPython, 'agent_0_3.py', [], 'text'],
  ])('%s calls a tool, and then speaks', async (_, executable, script, words, tools) => {
    const service = await startAgent(executable, script, words);
    expect(service.a2aTools).toBe(tools);
    const model_url = await model();
    const first = await askAgent(service, { ...REQUEST, request: 1, idempotency_key: 'e1/1', model_url }, TIME);
    expect(first.answer).toMatchObject({
      kind: 'tool_calls',
      calls: [{ name: CALL.name, argumentsJson: CALL.arguments }],
    });
    const result = { role: 'tool', tool_call_id: 'c1', name: CALL.name, content: '{}' } as const;
    const call = { role: 'assistant', ...CALLS } as const;
    const conversation = [...REQUEST.conversation, call, result] as typeof REQUEST.conversation;
    const next = { ...REQUEST, request: 2, idempotency_key: 'e1/2', messages: [result], conversation, model_url };
    const second = await askAgent(service, next, { ...TIME, peer: first.peer });
    expect(second.answer).toEqual({ kind: 'message', content: SAYS.content });
  });
});
