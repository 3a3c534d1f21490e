/** Recordings of τ³-bench's reference: every call's observation, error and hashes. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { openOverlay, StateHasher } from '../../../src/benchmarks/index.ts';
import { isDict, parseJson, type PyDict } from '../../../src/benchmarks/python/index.ts';
import { callTool, tau3Domains } from '../../../src/benchmarks/tau3/index.ts';
import { databaseText } from '../../../src/benchmarks/tau3/testing.ts';
import { sha256Hashing } from '../../../src/io/index.ts';
import { NO_TAU3, tau3Dir } from '../../helpers/tau3-folder.ts';
import { field, items, text } from '../helpers.ts';

if (tau3Dir === null) console.warn(`recordings of τ³-bench are skipped: ${NO_TAU3}`);

describe.skipIf(tau3Dir === null).each(['retail', 'airline'])('%s of τ³-bench', (name) => {
  const dir = tau3Dir ?? '';
  const domain = tau3Domains.get(`tau3-${name}`);
  if (domain === undefined) throw new Error(`no domain tau3-${name}`);
  const known = domain;
  const tables =
    tau3Dir === null
      ? new Map()
      : domain.load({ 'db.json': parseJson(readFileSync(join(dir, name, 'db.json'), 'utf8')) });
  const hasher = new StateHasher({ tables }, sha256Hashing, { text: databaseText(domain.assistant) });

  it.each(['tasks', 'fuzz'])('answers and hashes as recorded: %s', (file) => {
    const path = join(dir, 'golden', `${name}-${file}.jsonl`);
    if (!existsSync(path)) return;
    const differences = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .flatMap((line, at) => firstDifference(parseJson(line) as PyDict, at));
    expect(differences.length).toBe(0);
    expect(differences.slice(0, 3)).toEqual([]);
  });

  function firstDifference(recording: PyDict, at: number) {
    const state = openOverlay({ tables });
    for (const [step, call] of items(field(recording, 'calls')).entries()) {
      const args = field(call, 'arguments');
      const requestor = text(field(call, 'requestor')) === 'user' ? 'user' : 'assistant';
      const result = callTool(known, state, {
        requestor,
        name: text(field(call, 'name')),
        arguments: isDict(args) ? args : new Map(),
      });
      const seen = { ...result, db: hasher.hash(state) };
      const wanted = { observation: field(call, 'observation'), error: field(call, 'error'), db: field(call, 'db') };
      if (JSON.stringify(seen) === JSON.stringify(wanted)) continue;
      return [{ line: at + 1, step, call: field(call, 'name'), args, seen, wanted }];
    }
    return [];
  }
});
