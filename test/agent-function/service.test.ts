/** Agents as functions in this process, each file in a thread of its own. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { functionPath, functionService } from '../../src/agent-function/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-function-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function written(code: string): string {
  const path = join(folder, 'mine.ts');
  writeFileSync(path, code);
  return path;
}

const warnings: string[] = [];
const warn = (message: string) => void warnings.push(message);

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: '{}' });
  return await response.json();
}

const SLOW = { timeout: 60_000 };

describe('a word of --agent-url', () => {
  it.each([
    ['./my-agent.ts', '/work/my-agent.ts'],
    ['agents/one.mjs', '/work/agents/one.mjs'],
    ['file:///a/b.ts', '/a/b.ts'],
    ['http://127.0.0.1:8000/agent.js', null],
    ['HTTPS://host/x.ts', null],
    ['my-agent', null],
  ])('%s is the file %s', (word, path) => {
    expect(functionPath(word, '/work')).toBe(path);
  });
});

describe('a file', () => {
  it('is served once, under its name and digest', SLOW, async () => {
    const path = written('export default (turn: object) => `hello`;');
    const first = await functionService(path, null, warn);
    expect(first).toMatchObject({ name: 'mine', version: expect.stringMatching(/^[0-9a-f]{12}$/) as string });
    const identity = `mine ${first.version}`;
    expect(await functionService(path, identity, warn)).toBe(first);
    expect(await ask(first.url)).toEqual({ message: 'hello' });
  });

  it('that has changed serves the run that was started with it, and no other', SLOW, async () => {
    const path = written('export default () => "one";');
    const first = await functionService(path, null, warn);
    written('export default () => "two";');
    expect(await functionService(path, `mine ${first.version}`, warn)).toBe(first);
    await expect(functionService(path, 'mine 0123', warn)).rejects.toThrow(
      /^the agent in \S+mine\.ts is mine [0-9a-f]{12} now, and the run was started with mine 0123; put that file back/,
    );
    expect(await ask((await functionService(path, null, warn)).url)).toEqual({ message: 'two' });
  });

  it.each([
    ['is not there', null, /cannot be compiled: Could not resolve/],
    ['ends its thread', 'process.exit(3);', /cannot be loaded: it ends this program\.$/],
    ['throws later', 'setTimeout(() => { throw new Error("late"); }); await new Promise(() => {});', /loaded: late\.$/],
    ['exports no function', 'export const a = 1;', /exports no function/],
  ])('that %s says so', SLOW, async (_, code, problem) => {
    const path = code === null ? join(folder, 'other.ts') : written(code);
    await expect(functionService(path, null, warn)).rejects.toThrow(problem);
  });

  it('that ends in a request is started again by the next', SLOW, async () => {
    const path = written(
      'export default () => { setTimeout(() => { throw new Error("at last"); }); return new Promise(() => {}); };',
    );
    const first = await functionService(path, null, warn);
    await expect(ask(first.url)).rejects.toThrow();
    await expect.poll(() => warnings, { timeout: 30_000 }).toContainEqual(`the agent in ${path} has ended: at last`);
    const second = await functionService(path, `mine ${first.version}`, warn);
    expect(second.url).not.toBe(first.url);
  });

  it('in an endless loop is ended when it is asked whether it is', SLOW, async () => {
    const path = written(
      `import { writeFileSync } from 'node:fs';
       export default () => { writeFileSync(${JSON.stringify(join(folder, 'begun'))}, ''); for (;;); };`,
    );
    const first = await functionService(path, null, warn);
    const asked = ask(first.url);
    asked.catch(() => undefined);
    await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 30_000 }).toBe(true);
    await first.endIfStuck();
    await expect(asked).rejects.toThrow();
    const second = await functionService(path, `mine ${first.version}`, warn);
    expect(second.url).not.toBe(first.url);
  });
});
