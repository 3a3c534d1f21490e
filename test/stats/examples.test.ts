/** Runs the examples of `docs/stats.md`: each `console.log` prints what the comment behind it has. */

import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import * as stats from '../../src/stats/public.ts';

const page = readFileSync(new URL('../../docs/stats.md', import.meta.url), 'utf8');
const examples = Array.from(page.matchAll(/^## (.*)\n[^#]*?```ts\n([^`]*)```/gm), ([, title = '', code = '']) => ({
  title,
  code,
}));

function run(code: string): string[] {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'cjs' });
  const printed: string[] = [];
  const log = (...values: unknown[]) => printed.push(values.map(String).join(' '));
  const load = (name: string) => (name === 'tauflow/stats' ? stats : undefined);
  runInNewContext(script, { require: load, console: { log }, module: {} });
  return printed;
}

describe('the examples of docs/stats.md', () => {
  it('are five', () => {
    expect(examples).toHaveLength(5);
  });

  it.each(examples)('$title', ({ code }) => {
    const expected = Array.from(code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm), ([, text = '']) => text);
    expect(expected.length).toBeGreaterThan(0);
    expect(run(code)).toEqual(expected);
  });
});
