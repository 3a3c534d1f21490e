/** Trains the classifiers of the program's own domains again: `node --import tsx src/build/make-weights.ts`. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DOMAIN_PHRASES, trainDomain, type TrainedDomain } from '../pack-tools/import-fastworkflow/index.ts';

export function weightsFile(domain: TrainedDomain): URL {
  return new URL(`../../data/${domain.replace('tau3-', 'tau3/')}/intent-weights.json`, import.meta.url);
}

/** Returns the file's text as training gives it: JSON, one row a line. */
export function weightsText(domain: TrainedDomain): string {
  const { commands, step, rows } = trainDomain(domain);
  const lines = Object.entries(rows).map(([feature, row]) => `${JSON.stringify(feature)}:${JSON.stringify(row)}`);
  return `{"commands":${JSON.stringify(commands)},"step":${String(step)},"rows":{\n${lines.join(',\n')}\n}}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const domain of Object.keys(DOMAIN_PHRASES) as TrainedDomain[]) {
    writeFileSync(weightsFile(domain), weightsText(domain));
  }
}
