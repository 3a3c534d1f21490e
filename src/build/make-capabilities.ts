/**
 * Writes `data/model-capabilities.json` from the model list of the Python package `litellm` (MIT licence):
 *
 *     pip download litellm --no-deps && unzip litellm-*.whl -d litellm
 *     node --import tsx src/build/make-capabilities.ts litellm/litellm/model_prices_and_context_window_backup.json VERSION
 *
 * Of each provider that Tauflow has, it takes the models that call tools, and of each model only what the rules of
 * `src/models/capabilities.ts` decide. Models with equal facts share an entry, so that the file stays readable.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { PROVIDERS, namesOf } from '../models/providers.ts';

const TARGET = new URL('../../data/model-capabilities.json', import.meta.url);

const listedModel = z.looseObject({
  litellm_provider: z.string().optional(),
  mode: z.string().optional(),
  supports_function_calling: z.boolean().optional(),
  supports_reasoning: z.boolean().optional(),
  supports_sampling_params: z.boolean().optional(),
  supports_response_schema: z.boolean().optional(),
  default_reasoning_effort: z.string().optional(),
  reasoning_effort_levels: z.array(z.string()).optional(),
  supported_endpoints: z.array(z.string()).optional(),
  max_output_tokens: z.number().optional(),
});
type ListedModel = z.infer<typeof listedModel>;

const [source = '', version = 'unknown'] = process.argv.slice(2);
const list = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(source, 'utf8')));

/** Every level that a model may take, from the least thought to the most. */
const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
/** Levels that the list takes for granted where it says anything about a model's others. */
const USUAL = ['low', 'medium', 'high'];

function effortsOf(model: ListedModel): string[] | undefined {
  if (model.reasoning_effort_levels !== undefined) return model.reasoning_effort_levels;
  const said = (level: string) => model[`supports_${level}_reasoning_effort`] as boolean | undefined;
  if (!LEVELS.some((level) => said(level) !== undefined)) return undefined;
  return LEVELS.filter((level) => said(level) ?? USUAL.includes(level));
}

function factsOf(model: ListedModel) {
  const { supported_endpoints: endpoints } = model;
  return {
    reasons: model.supports_reasoning === true,
    takes_sampling: model.supports_sampling_params,
    efforts: effortsOf(model),
    default_effort: model.default_reasoning_effort,
    has_chat: endpoints === undefined ? undefined : endpoints.includes('/v1/chat/completions'),
    has_responses: endpoints === undefined ? undefined : endpoints.includes('/v1/responses'),
    takes_schema: model.supports_response_schema === true ? true : undefined,
    max_output_tokens: model.max_output_tokens,
  };
}

const providers: Record<string, unknown[]> = {};
for (const row of PROVIDERS) {
  const byFacts = new Map<string, string[]>();
  for (const [key, value] of Object.entries(list)) {
    const parsed = listedModel.safeParse(value);
    if (!parsed.success) continue;
    const { litellm_provider: provider = '', mode = '', supports_function_calling: callsTools } = parsed.data;
    if (!namesOf(row).includes(provider) || !['chat', 'responses'].includes(mode) || callsTools !== true) continue;
    const facts = JSON.stringify(factsOf(parsed.data));
    // Azure's and Fireworks' entries have a region or an account before the model's name.
    const name = key.slice(key.lastIndexOf('/') + 1);
    const names = byFacts.get(facts) ?? [];
    if (!names.includes(name)) byFacts.set(facts, [...names, name]);
  }
  if (byFacts.size === 0) continue;
  providers[row.name] = [...byFacts].map(([facts, models]) => ({ models, ...(JSON.parse(facts) as object) }));
}

const head = {
  source: `model_prices_and_context_window_backup.json of the Python package litellm ${version}`,
  licence: 'MIT, Copyright (c) 2023 Berri AI',
  taken: new Date().toISOString().slice(0, 10),
};
const entries = Object.entries(providers).map(([name, groups]) => {
  const lines = groups.map((group) => `      ${JSON.stringify(group)}`);
  return `    ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n    ]`;
});
const top = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
writeFileSync(TARGET, `{\n${top.join('\n')}\n  "providers": {\n${entries.join(',\n')}\n  }\n}\n`);
