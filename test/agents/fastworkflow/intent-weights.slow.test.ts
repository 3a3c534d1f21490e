/** The domains' weights are what training gives: after a change of phrases or of the catalogue, `src/build/make-weights.ts`. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOMAIN_PHRASES, weightsFile, weightsText } from '../../../src/build/testing.ts';

it.each([...DOMAIN_PHRASES.keys()])('training gives the weights of %s, byte for byte', (domain) => {
  expect(weightsText(domain) === readFileSync(weightsFile(domain), 'utf8')).toBe(true);
});
