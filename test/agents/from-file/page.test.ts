/** docs/new-agent.md shows the agent that the tests run, and its test. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(`${root}docs/new-agent.md`, 'utf8');

it.each(['my-agent.ts', 'my-agent.test.ts'])('the page quotes %s', (name) => {
  const shown = new RegExp(`^\`${name}\`\\n\\n\`\`\`ts\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  expect(shown).toBe(readFileSync(`${root}test/fixtures/new-agent/${name}`, 'utf8'));
});
