/** The pages show the agents that the tests run, and their test. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

import { catalogueOf, createCatalogue, plan } from '../../../src/agents/fastworkflow/public.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = (name: string) => readFileSync(`${root}docs/${name}`, 'utf8');

it.each([
  ['new-agent.md', 'my-agent.ts'],
  ['new-agent.md', 'my-agent.test.ts'],
  ['fastworkflow.md', 'my-fastworkflow.ts'],
])('%s quotes %s', (path, name) => {
  const shown = new RegExp(`^\`${name}\`\\n\\n\`\`\`ts\\n([^]*?)^\`\`\`$`, 'm').exec(page(path))?.[1];
  expect(shown).toBe(readFileSync(`${root}test/fixtures/new-agent/${name}`, 'utf8'));
});

it('fastworkflow.md shows a catalogue whose commands are understood as it says', () => {
  const [, example = ''] =
    /### Write a catalogue\n\n```ts\nimport [^\n]*\n([^]*?)^```$/m.exec(page('fastworkflow.md')) ?? [];
  const names = ['catalogueOf', 'createCatalogue', 'plan'] as const;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the page's own example
  const run = new Function(...names, example.replace(/^plan\(/m, 'return plan(')) as (...parts: unknown[]) => unknown;
  expect(run(catalogueOf, createCatalogue, plan)).toEqual({
    kind: 'plan',
    commandName: 'calculate',
    cmdParameters: new Map([['expression', '12.5 + 3']]),
  });
});
