/** `tauflow agent serve`: a file with a function becomes a service. */

import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentFunction } from '../../../src/agents/index.ts';
import { checkAgent } from '../../../src/cli/agent/checks.ts';
import type { Finding } from '../../../src/cli/agent/findings.ts';
import { loadFunction, serveFunction } from '../../../src/agent-function/index.ts';

import { startGateway } from '../../../src/gateway/index.ts';
import { scratchFolder, tauflow } from '../in-process.ts';

const fixture = fileURLToPath(new URL('../../fixtures/agent-function/agent.ts', import.meta.url));

const open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function served(answer: AgentFunction): Promise<string> {
  const service = await serveFunction({ name: 'mine', version: '1', answer }, 0);
  open.push(service);
  return service.url;
}

describe('a function', () => {
  it('that uses a package passes every check', async () => {
    const file = await loadFunction(fixture);
    expect(file).toMatchObject({ name: 'agent', version: expect.stringMatching(/^[0-9a-f]{12}$/) as string });
    expect(readdirSync(dirname(fixture))).toEqual(['agent.ts']);
    const url = await served(file.answer);
    const gateway = await startGateway();
    open.push(gateway);
    const findings: Finding[] = [];
    await checkAgent({ service: { url }, gateway, timeoutMs: 30_000 }, (finding) => findings.push(finding));
    expect(findings.length).toBeGreaterThan(5);
    expect(findings.filter(({ state }) => state !== 'right')).toEqual([]);
  });

  it('answers with a text, or as the protocol has it; its errors are answers too', async () => {
    const answers: readonly AgentFunction[] = [
      () => 'Hello',
      () => ({ end: true }),
      () => Promise.reject(Object.assign(new Error('slow down'), { status: 429 })),
      () => Promise.reject(new TypeError('no such thing')),
      (() => ({ message: 1n })) as unknown as AgentFunction,
      (() => undefined) as unknown as AgentFunction,
    ];
    const given = await Promise.all(
      answers.map(async (answer) => {
        const response = await fetch(await served(answer), { method: 'POST', body: '{}' });
        const text = await response.text();
        return [response.status, text.startsWith('{') ? (JSON.parse(text) as unknown) : text];
      }),
    );
    expect(given).toEqual([
      [200, { message: 'Hello' }],
      [200, { end: true }],
      [429, { error: 'slow down' }],
      [500, { error: 'no such thing' }],
      [200, 'no JSON: Do not know how to serialize a BigInt'],
      [200, ''],
    ]);
  });
});

describe('a file', () => {
  it.each([
    ['export const a = 1;', /exports no function; export one as default/],
    ['export default (', /cannot be compiled: .* \(line 1\)\.$/],
    ["import x from 'no-such-package'; export default () => x;", /cannot be loaded: .*no-such-package/],
    ["throw new Error('at once');", /cannot be loaded: at once\.$/],
  ])('is refused: %s', async (code, problem) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'agent.ts'), code);
    const { code: exit, stderr } = await tauflow(['agent', 'serve', 'agent.ts'], { cwd: folder });
    expect(stderr).toMatch(problem);
    expect(exit).toBe(2);
    expect(readdirSync(folder)).toEqual(['agent.ts']);
  });
});
