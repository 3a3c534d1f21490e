/** The domains that packs can be generated for. A new one is a folder, and a line here. */

import { PackError, listWords } from '../../packs/index.ts';
import type { DomainGenerator } from './domain.ts';
import { airlineGenerator } from './airline/index.ts';
import { retailGenerator } from './retail/index.ts';

const GENERATORS: readonly DomainGenerator[] = [retailGenerator, airlineGenerator];

/** @throws PackError that tells which domains there are */
export function generatorOf(env: string): DomainGenerator {
  const found = GENERATORS.find(({ rules }) => rules.env === env);
  if (found !== undefined) return found;
  throw new PackError(
    `no pack can be generated for the env ${env}; there are ${listWords(GENERATORS.map(({ rules }) => rules.env))}.`,
  );
}
