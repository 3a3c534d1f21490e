/** Runs of τ³-bench that are refused before they start, each in one sentence. */

import { join } from 'node:path';
import { expect, it } from 'vitest';

import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { readPack, writePack } from '../../src/benchmarks/packs/index.ts';
import { writeTau3Folder } from '../helpers/tau3-checkout.ts';
import { scratchFolder } from '../benchmarks/packs/folders.ts';
import { tauflow } from './in-process.ts';

async function telecomPack(): Promise<string> {
  const checkout = await writeTau3Folder(await scratchFolder());
  const { packs } = await tau3Importer.read(checkout, undefined, { domains: ['tau3-telecom'] });
  const [pack] = packs;
  if (pack === undefined) throw new Error('no pack');
  const folder = join(await scratchFolder(), 'tau3-telecom');
  await writePack(folder, pack);
  return folder;
}

it.each([
  [['--agent-strategy', 'few-shot'], /there are 0 for task 0 .* --few-shot-displays-path/s],
  [['--user-strategy', 'react'], /has no prompts for the user strategy "react"/],
  [['--user-strategy', 'human'], /calls tools, which a person cannot; leave --user-strategy human out/],
  [['--decisions', 'stdio'], /--decisions stdio is for packs of tau-bench/],
])('a run with %j is refused', async (flags, sentence) => {
  const cwd = await scratchFolder();
  const model = flags.includes('stdio') ? [] : ['--model', 'oracle'];
  const { code, stderr } = await tauflow(['run', '--pack', await telecomPack(), ...model, ...flags], { cwd });
  expect(stderr).toMatch(sentence);
  expect(code).toBe(2);
});

it('act and react have this project’s instructions', async () => {
  const { agentPrompts } = await readPack(await telecomPack());
  expect(agentPrompts['act_instruction']).toContain('Action:');
  expect(agentPrompts['react_instruction']).toContain('Thought:');
});
