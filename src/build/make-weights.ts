/** Trains the classifiers of the program's own domains again: `node --import tsx src/build/make-weights.ts`. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fastWorkflowData } from '../benchmarks/fastworkflow.ts';
import { DOMAIN_PHRASES, trainDomain } from '../pack-tools/import-fastworkflow/index.ts';

export function weightsFile(domain: string): URL {
  return new URL(`../../data/${fastWorkflowData[domain]?.folder ?? domain}/intent-weights.json`, import.meta.url);
}

/** Returns the file's text as training gives it: JSON, one row a line. */
export function weightsText(domain: string): string {
  const { commands, step, rows } = trainDomain(domain);
  const lines = Object.entries(rows).map(([feature, row]) => `${JSON.stringify(feature)}:${JSON.stringify(row)}`);
  return `{"commands":${JSON.stringify(commands)},"step":${String(step)},"rows":{\n${lines.join(',\n')}\n}}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const domain of DOMAIN_PHRASES.keys()) {
    writeFileSync(weightsFile(domain), weightsText(domain));
  }
}
