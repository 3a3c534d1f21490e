/** Dry runs of a command line or a config file, and the configuration that they print. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import * as z from 'zod';

import { scratchFolder, tauflow } from './in-process.ts';

/** Command line of FastWorkflow, which has the most of them. */
export const FAST = 'run --agent-strategy fastworkflow --model oracle';

/** The part of what a dry run prints that tests read. */
export const dryRun = z.object({
  config: z.looseObject({
    strategy_options: z.looseObject({}),
    agent_model: z.looseObject({}),
    role_models: z.record(z.string(), z.looseObject({})).optional(),
  }),
  plan: z.looseObject({ num_trials: z.number() }),
  least_model_calls: z.number(),
  notes: z.array(z.string()),
});

/** Makes a dry run of these words. */
export async function asked(words: string | readonly string[], cwd = scratchFolder()): Promise<z.infer<typeof dryRun>> {
  const line = typeof words === 'string' ? words.split(' ') : words;
  const ended = await tauflow([...line, '--dry-run', '--json'], { cwd });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return dryRun.parse(JSON.parse(ended.stdout));
}

/** Makes a dry run of a config file. */
export async function askedOfFile(options: object, words = 'run --config run.json'): Promise<z.infer<typeof dryRun>> {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'run.json'), JSON.stringify(options));
  return asked(words, cwd);
}
