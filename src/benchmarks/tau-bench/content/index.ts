/** tau-bench's content. */

import type { BenchmarkContent } from '../../content.ts';
import { tableFile, listTables } from '../../packs/manifest.ts';
import { DEFAULTS } from '../../registry.ts';
import { domains } from '../domains.ts';
import { regradeTauBench } from '../regrade.ts';
import { openTauBenchReplayer } from '../replay.ts';
import { assemblePack } from './read.ts';

/** Files that every pack has besides its tables. */
const TEXT_FILES = [
  'agent-prompts.json',
  'rules.json',
  'terminate_tools.json',
  'tools.json',
  'user-prompts.json',
  'wiki.md',
] as const;

export const tauBenchContent: BenchmarkContent = {
  name: 'tau-bench',
  title: 'tau-bench',
  publishedUser: 'gpt-4o',
  domains,
  prefix: '',
  packPrefix: 'tau-bench-',
  importCommand: 'npx tauflow data import',
  isNamedInManifest: false,
  takesImportedPack: false,
  defaults: DEFAULTS,
  allowsOutsideSteps: true,
  requiredFiles: (domain) => [...listTables(domain).map(tableFile), ...TEXT_FILES].sort(),
  assemble: assemblePack,
  agentSystemPrompt: (policy) => policy,
  openReplayer: openTauBenchReplayer,
  regrade: regradeTauBench,
};
