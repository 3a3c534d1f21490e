/** `npm run classifier` trains the classifiers of the domains again and writes their weights. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DOMAIN_PHRASES, type TrainedDomain } from '../../../src/agents/fastworkflow/training/index.ts';
import { weightsFile, weightsModule } from './weights.ts';

for (const domain of Object.keys(DOMAIN_PHRASES) as TrainedDomain[]) {
  writeFileSync(fileURLToPath(weightsFile(domain)), weightsModule(domain));
}
