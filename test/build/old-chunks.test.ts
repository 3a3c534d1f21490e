/** Files of earlier builds: those that a worker which still runs may load stay. */

import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeOldChunks } from '../../src/build/testing.ts';

it('a build keeps the chunks of earlier builds for a month', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tauflow-chunks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const now = new Date('2026-03-01T00:00:00Z');
  for (const [name, day] of [
    ['tauflow.js', '2026-01-01'],
    ['host-AAAA.js', '2026-02-28'],
    ['host-BBBB.js', '2026-01-01'],
  ] as const) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), new Date(day), new Date(day));
  }
  await removeOldChunks(folder, ['tauflow.js'], now);
  expect(readdirSync(folder).sort()).toEqual(['host-AAAA.js', 'tauflow.js']);
});
