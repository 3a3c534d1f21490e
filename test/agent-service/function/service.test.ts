/** Agents as functions in this process, each file in a thread of its own. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { functionPath, functionService } from '../../../src/agent-service/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-function-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function written(code: string, place = folder): string {
  const path = join(place, 'mine.ts');
  writeFileSync(path, code);
  return path;
}

/** Version of a file in another folder. */
async function versionOf(code: string): Promise<string> {
  const path = written(code, mkdtempSync(join(folder, 'copy-')));
  return (await functionService(path, null, warn)).version;
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
    ['./my-agent.ts', '/project/my-agent.ts'],
    ['agents/one.mjs', '/project/agents/one.mjs'],
    ['file:///a/b.ts', '/a/b.ts'],
    ['file:///a%2Fb.ts', null],
    ['file:///a%ZZ.ts', null],
    ['file://host/b.ts', null],
    ['http://127.0.0.1:8000/agent.js', null],
    ['HTTPS://host/x.ts', null],
    ['my-agent', null],
  ])('%s is the file %s', (word, path) => {
    expect(functionPath(word, '/project')).toBe(path);
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

  it('has the same version in any folder', SLOW, async () => {
    const code = 'export default () => "one";';
    const { version } = await functionService(written(code), null, warn);
    expect(version).toBe(await versionOf(code));
  });

  it('has one thread for requests that come at once, which lasts as long as it answers', SLOW, async () => {
    const code = 'export default () => "hello";';
    const [path, version] = [written(code), await versionOf(code)];
    const [first, second] = await Promise.all([1, 2].map(() => functionService(path, `mine ${version}`, warn)));
    expect(second).toBe(first);
    await expect(functionService(join(folder, 'other.ts'), null, warn)).rejects.toThrow('is not on this machine');
    await first?.endIfStuck();
    expect(await functionService(path, `mine ${version}`, warn)).toBe(first);
  });

  it('prints nothing among the results of a command', SLOW, async () => {
    const [out, err] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const printed = (stream: typeof out) => stream.mock.calls.some(([chunk]) => String(chunk).includes('a note'));
    await functionService(written('console.log("a note"); export default () => "hello";'), null, warn);
    await expect.poll(() => printed(err), { timeout: 30_000 }).toBe(true);
    expect(printed(out)).toBe(false);
    vi.restoreAllMocks();
  });

  it('is loaded again once it is put right', SLOW, async () => {
    const good = 'export default () => "good";';
    const [path, version] = [written('export default () => "bad";'), await versionOf(good)];
    await expect(functionService(path, `mine ${version}`, warn)).rejects.toThrow('put that file back');
    written(good);
    expect(await functionService(path, `mine ${version}`, warn)).toMatchObject({ version });
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
    [
      'is not there',
      null,
      /is not on this machine; put it there on each machine with a worker, or start `npx tauflow agent serve FILE`/,
    ],
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
