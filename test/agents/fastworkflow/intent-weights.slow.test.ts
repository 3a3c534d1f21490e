/** The domains' weights are what training gives: after a change of phrases or of the catalogue, `npm run classifier`. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOMAIN_PHRASES, type TrainedDomain } from '../../../src/agents/fastworkflow/training/index.ts';
import { weightsFile, weightsModule } from './weights.ts';

it.each(Object.keys(DOMAIN_PHRASES) as TrainedDomain[])('training gives the weights of %s, byte for byte', (domain) => {
  expect(weightsModule(domain) === readFileSync(weightsFile(domain), 'utf8')).toBe(true);
});
