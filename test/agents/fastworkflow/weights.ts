/** The files of the domains' weights, as training gives them. */

import { trainDomain, type TrainedDomain } from '../../../src/agents/fastworkflow/training/index.ts';

export function weightsFile(domain: TrainedDomain): URL {
  return new URL(`../../../src/agents/fastworkflow/catalogue/${domain}/weights.ts`, import.meta.url);
}

/** The text of a module that exports the weights as JSON, one row a line. */
export function weightsModule(domain: TrainedDomain): string {
  const { commands, step, rows } = trainDomain(domain);
  const lines = Object.entries(rows).map(([feature, row]) => `${JSON.stringify(feature)}:${JSON.stringify(row)}`);
  const json = `{"commands":${JSON.stringify(commands)},"step":${String(step)},"rows":{\n${lines.join(',\n')}\n}}`;
  const escaped = json.replace(/[\\`]|\$(?=\{)/g, '\\$&');
  return [
    '/** Weights of the intent classifier, made by `npm run classifier`. */',
    `export const ${domain.toUpperCase()}_WEIGHTS = \`${escaped}\`;`,
    '',
  ].join('\n');
}
