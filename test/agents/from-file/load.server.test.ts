/** Files with agents: what is taken, what is refused, and what makes two of them the same. */

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findStrategy, isAgentFile } from '../../../src/agents/index.ts';
import { loadAgent, loadedAgents } from '../../../src/agents/from-file/index.ts';
import { AgentFileError } from '../../../src/agents/from-file/testing.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tauflow-own-')));
const template = fileURLToPath(new URL('../../fixtures/new-agent/my-agent.ts', import.meta.url));
const bench = fileURLToPath(new URL('../../../src/benchmarks/types.ts', import.meta.url));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const solve = "solve: () => Promise.resolve('done')";

describe('a file with an agent', () => {
  it('is known by its digest, and never by its name', async () => {
    const { strategy, file } = await loadAgent(template);
    expect(strategy).toMatchObject({ name: 'plan-first', label: 'Plan first' });
    expect(findStrategy('plan-first', file)).toBe(strategy);
    expect(findStrategy('plan-first')).toBeUndefined();
    expect(findStrategy('plan-first', { digest: 'another' })).toBeUndefined();
    expect(loadedAgents().map(({ file: { digest } }) => digest)).toContain(file.digest);
  });

  it.each(['js', 'mjs'])('may be JavaScript, and export `strategy` (.%s)', async (ending) => {
    const path = write(`plain.${ending}`, `export const strategy = { name: 'plain', label: 'P', ${solve} };`);
    expect((await loadAgent(path)).strategy.name).toBe('plain');
  });

  it('has the digest of what is in it and in what it imports, wherever it is', async () => {
    const text = `import { label } from './lib/label.ts'; export default { name: 'parts', label, ${solve} };`;
    const digest = async (place: string, label: string) => {
      write(`${place}/lib/label.ts`, `export const label: string = '${label}';`);
      return (await loadAgent(write(`${place}/agent.ts`, text))).file.digest;
    };
    const before = await digest('a', 'one');
    expect(await digest('b', 'one')).toBe(before);
    expect(await digest('b', 'two')).not.toBe(before);
    cpSync(template, join(folder, 'copy.ts'));
    expect((await loadAgent(join(folder, 'copy.ts'))).file.digest).toBe((await loadAgent(template)).file.digest);
  });

  const refused: readonly (readonly [what: string, text: string, reason: RegExp])[] = [
    ['what is no code', 'export default {;', /cannot be compiled: Expected identifier but found ";" \(.*:1:17\)\.$/],
    ['no export', 'export const agent = 1;', /exports no strategy; export a StrategyDefinition as default/],
    [
      'an export of another kind',
      'export default 3;',
      /is not a strategy: it must be an object with name, label and solve/,
    ],
    ['no name', `export default { label: 'X', ${solve} };`, /is not a strategy: name must be a text\.$/],
    ['no function', "export default { name: 'x', label: 'X', solve: 1 };", /solve must be a function\.$/],
    [
      'settings that no strategy has',
      `export default { name: 'x', label: 'X', ${solve}, settings: ['nothing'] };`,
      /has settings, which no strategy has/,
    ],
    [
      'a misspelt part',
      `export default { name: 'x', label: 'X', ${solve}, note: [] };`,
      /has note, which no strategy has/,
    ],
    ['the name of another', `export default { name: 'act', label: 'X', ${solve} };`, /is called act, as a strategy of/],
    [
      'a role that falls back to none',
      `export default { name: 'x', label: 'X', ${solve}, modelRoles: [{ name: 'critic', description: 'c', calls: ['agent/critic'], fallback: 'judge' }] };`,
      /modelRoles must have a role’s fallback before it/,
    ],
    [
      'an option of no kind',
      `export default { name: 'x', label: 'X', ${solve}, options: [{ key: 'tries', help: 't', value: { kind: 'colour' } }] };`,
      /options\.0\.value.* must be an object with a kind: choice, integer/,
    ],
    [
      'an option that every strategy has',
      `export default { name: 'x', label: 'X', ${solve}, options: [{ key: 'compat', help: 't', value: { kind: 'list' } }] };`,
      /options\.0\.key is the name of an option that every strategy has/,
    ],
    ['what a workflow has not', "import fs from 'node:fs'; fs.rmSync('x');", /imports node:fs, and an agent runs in a/],
    ['the same required', "require('net').connect(1);", /imports net, and an agent runs in a workflow/],
    [
      'a global that a workflow has not',
      'process.exit(7);',
      /uses process, and an agent runs in a workflow, .* \(.*\.ts:1:1\)\.$/,
    ],
    [
      'a global that is used later',
      `export default { name: 'x', label: 'X', solve: async () => {\n  await fetch('http://x');\n} };`,
      /uses fetch, .*\.ts:2:9\)\.$/,
    ],
    [
      'the same by globalThis',
      'const wait = () =>\n  globalThis.setInterval(() => {}, 1);\nwait();',
      /uses setInterval.*:2:3/,
    ],
    ['an exception', "throw new Error('no luck');", /cannot be loaded: Error: no luck\.$/],
    [
      'another copy of the program',
      `import { RESPOND } from '${bench}'; RESPOND.at(0);`,
      /import values from 'tauflow\/agents'/,
    ],
    ['an import that is nowhere', "import { x } from './nowhere.ts'; x();", /Could not resolve "\.\/nowhere\.ts"/],
  ];
  it.each(refused)('is refused in one sentence for %s', async (what, text, reason) => {
    const path = write(`${what.replaceAll(' ', '-')}.ts`, text);
    const error: unknown = await loadAgent(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentFileError);
    const { message } = error as Error;
    expect(message).toMatch(reason);
    expect(message).toMatch(/^the agent in .*\.$/);
    expect(message).toContain(path);
    expect(message).not.toContain('\n');
  });

  it('may have names of globals of its own, use those of workflows, and ask whether one is there', async () => {
    write('node_modules/lib/index.js', 'export const size = () => Buffer.byteLength("x");');
    const text = `import { size } from 'lib';
      const fetch = () => setTimeout(size, 1);
      const env = typeof process === 'undefined' ? {} : process.env;
      const buffer = { Buffer: 1 };
      export default { name: 'x', label: 'X', solve: () => Promise.resolve([fetch(), env, buffer.Buffer]) };`;
    const { code } = await loadAgent(write('careful.ts', text));
    expect(code).toContain('typeof process === "undefined" ? {} : process.env');
    expect(code).not.toContain('absent');
  });

  it('is refused when it is not there', async () => {
    const path = join(folder, 'absent.ts');
    await expect(loadAgent(path)).rejects.toThrow(`the agent in ${path} does not exist; check --agent-strategy.`);
  });
});

describe('a word after --agent-strategy', () => {
  it.each([
    ['./my-agent.ts', true],
    ['agents/mine.mjs', true],
    ['mine.js', true],
    ['tool-calling', false],
    ['gpt4.1', false],
  ])('%s', (word, isFile) => {
    expect(isAgentFile(word)).toBe(isFile);
  });
});
