/**
 * Writes `data/model-capabilities.json` from the model list of the Python package `litellm` (MIT licence):
 *
 *     pip download litellm --no-deps && unzip litellm-*.whl -d litellm
 *     node --import tsx src/build/make-capabilities.ts litellm/litellm/model_prices_and_context_window_backup.json VERSION
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { MODEL_LICENCE, toModelList } from '../models/index.ts';

const TARGET = new URL('../../data/model-capabilities.json', import.meta.url);

const [source = '', version = 'unknown'] = process.argv.slice(2);
const list = toModelList(JSON.parse(readFileSync(source, 'utf8')), {
  source: `model_prices_and_context_window_backup.json of the Python package litellm ${version}`,
  licence: MODEL_LICENCE,
  taken: new Date().toISOString().slice(0, 10),
});
if (list === null) throw new Error(`${source} is not LiteLLM's list of models`);
const { providers, ...head } = list;
const entries = Object.entries(providers).map(([name, groups]) => {
  const lines = groups.map((group) => `      ${JSON.stringify(group)}`);
  return `    ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n    ]`;
});
const top = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
writeFileSync(TARGET, `{\n${top.join('\n')}\n  "providers": {\n${entries.join(',\n')}\n  }\n}\n`);
