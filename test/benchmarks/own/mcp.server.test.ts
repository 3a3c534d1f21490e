/** Tools of an MCP server that others wrote: `tau2-mock-mcp-eval` of PyPI. */

import { beforeAll, describe, expect, it } from 'vitest';

import { checkBenchmark } from '../../../src/benchmarks/own/check.ts';
import { openFolder, type EnvironmentService, type ServiceCall } from '../../../src/benchmarks/own/testing.ts';
import { findPython } from '../../helpers/python.ts';
import { writeBenchmark } from './folders.ts';

const python = findPython('TAU2_MCP_PYTHON', 'tests of tools of an MCP server');
const domain = { domain: 'tasks-server', options: {} };

const DEFINITION = `
  import { defineBenchmark, mcp } from 'tauflow/benchmark';
  export default defineBenchmark({
    name: 'tasks-server',
    tools: mcp({
      command: ${JSON.stringify(python)},
      args: ['-m', 'tau2_mock_mcp.server'],
      env: { TAU2_MOCK_MCP_STATE_DIR: '{tmp}' },
      tools: ['create_task', 'update_task_status'],
      state: { tool: 'get_users', field: 'parsed_content' },
    }),
  });`;
const TASKS = `
- id: write
  instruction: You are user_1. You want a task to write a letter.
  calls: [{ create_task: { user_id: user_1, title: Letter } }]
`;

function create(title: string): ServiceCall {
  const kwargs = JSON.stringify({ user_id: 'user_1', title });
  return { requestor: 'assistant', name: 'create_task', arguments: kwargs };
}

describe.skipIf(python === null)('tools of an MCP server', { timeout: 60_000 }, () => {
  let folder: string;
  let service: EnvironmentService;

  beforeAll(async () => {
    folder = writeBenchmark({ 'benchmark.ts': DEFINITION, 'tasks.yaml': TASKS, 'data/counters.json': null });
    service = await openFolder(folder);
  });

  const call = (episode: string, calls: readonly ServiceCall[], made: ServiceCall) =>
    service.call({
      ...domain,
      episode,
      task: 'write',
      calls,
      call: made,
      idempotencyKey: `${episode} ${calls.length}`,
    });

  it('offers the tools that the folder names', async () => {
    const { tools } = await service.start({ ...domain, episode: 'start', task: 'write' });
    expect(tools.map((tool) => (tool['function'] as { name: string }).name)).toEqual([
      'create_task',
      'update_task_status',
    ]);
  });

  it('keeps the state between calls, and apart from other episodes', async () => {
    const first = await call('one', [], create('Letter'));
    const second = await call('one', [create('Letter')], create('Stamp'));
    const other = await call('two', [], create('Letter'));
    expect(first.observation).toContain('"task_id": "task_2"');
    expect(second.observation).toContain('"task_id": "task_3"');
    expect(second.state.agent).not.toBe(first.state.agent);
    expect(other.state).toEqual(first.state);
  });

  it('makes the calls before again in a new process', async () => {
    const folded = await call('late', [create('Letter')], create('Stamp'));
    const known = await call('one', [create('Letter')], create('Stamp'));
    expect(folded.observation).toContain('"task_id": "task_3"');
    expect(folded.state).toEqual(known.state);
  });

  it('grades the state that the server shows', async () => {
    expect(await checkBenchmark(folder)).toMatchObject({ problems: [], wrong: [], summary: { splits: { test: 1 } } });
  });
});
