/** The content of environment services. They have no files; their packs are made from their answers. */

import type { BenchmarkContent } from '../content.ts';
import { PackError } from '../packs/types.ts';
import { openServiceReplayer, regradeByService } from './replay.ts';
import { tau3Content } from '../tau3/content/index.ts';

const DEFAULTS = { taskSplit: 'test', maxSteps: 100 } as const;

export const serviceContent: BenchmarkContent = {
  name: 'service',
  title: 'an environment service',
  domains: new Map(),
  prefix: '',
  packPrefix: '',
  importCommand: 'npx tauflow run --env-url URL',
  isNamedInManifest: true,
  takesImportedPack: false,
  defaults: DEFAULTS,
  allowsOutsideSteps: false,
  requiredFiles: () => [],
  assemble(folder) {
    throw new PackError(`${folder}: a pack of an environment service has no files.`);
  },
  agentSystemPrompt: tau3Content.agentSystemPrompt,
  openReplayer: (pack, hashing) => openServiceReplayer(pack, hashing !== null),
  regrade: notHere,
  regradeElsewhere: regradeByService,
  ...(tau3Content.recordedFacts === undefined ? {} : { recordedFacts: tau3Content.recordedFacts }),
};

function notHere(): never {
  throw new PackError('an environment service takes and grades its calls itself.');
}
