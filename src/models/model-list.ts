/**
 * The list of models that the rules are tested against: the shipped one, or a newer one from `tauflow models --refresh`
 * on this machine.
 */

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { makeFolders, writeFileAtomically } from '../io/index.ts';
import { OTHER_MODELS, findCapabilities, effortsAt } from './capabilities.ts';
import { PROVIDERS, listProviderNames } from './providers.ts';

/** The public list that LiteLLM's authors maintain. */
export const MODEL_SOURCE =
  'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json';
export const MODEL_LICENCE = 'MIT, Copyright (c) 2023 Berri AI';

const MOST_CHARS = 200;
const name = z.string().min(1).max(MOST_CHARS);
const level = z.string().max(20);

const publicModel = z.looseObject({
  litellm_provider: z.string().optional(),
  mode: z.string().optional(),
  supports_function_calling: z.boolean().optional(),
  supports_reasoning: z.boolean().optional(),
  supports_sampling_params: z.boolean().optional(),
  supports_response_schema: z.boolean().optional(),
  default_reasoning_effort: level.optional(),
  reasoning_effort_levels: z.array(level).max(20).optional(),
  supported_endpoints: z.array(z.string()).optional(),
  max_output_tokens: z.number().optional(),
  deprecation_date: z.iso.date().optional().catch(undefined),
  deprecation_source: z.string().max(MOST_CHARS).optional().catch(undefined),
  successor_model: name.optional().catch(undefined),
});
type PublicModel = z.infer<typeof publicModel>;

/** Facts about a model; unknown ones from a later list are kept. */
const factsSchema = z.looseObject({
  reasons: z.boolean().optional(),
  takes_sampling: z.boolean().optional(),
  efforts: z.array(level).optional(),
  /** Date from which the provider no longer serves the model: `2027-01-14`. @default unknown */
  retires: z.iso.date().optional(),
  /** Source of the date. @default the list itself */
  retires_by: z.string().max(MOST_CHARS).optional(),
  /** The model that the provider names as its replacement. */
  successor: name.optional(),
});
type ModelFacts = z.infer<typeof factsSchema>;

const listSchema = z.object({
  source: z.string(),
  licence: z.string(),
  /** Date of the list: `2026-11-27`. */
  taken: z.iso.date(),
  /** Groups of models with equal facts, by provider. */
  providers: z.record(z.string(), z.array(factsSchema.extend({ models: z.array(name) }))),
  /**
   * Dates of retirement from the providers' own lists, which take precedence over those in {@link providers}; null:
   * none is announced.
   */
  announced: z.record(name, z.iso.date().nullable()).optional(),
});
type ModelList = z.infer<typeof listSchema>;

/** Every level of effort, ascending. */
const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
/** Levels that exist if the public list mentions others. */
const USUAL = ['low', 'medium', 'high'];

/**
 * Extracts the tool-calling models of known providers from the public list, with the facts that `capabilities.ts` has
 * rules for.
 * @returns null for a document without such models, which is not the list
 */
export function toModelList(document: unknown, head: Omit<ModelList, 'providers'>): ModelList | null {
  const entries = z.record(z.string(), z.unknown()).safeParse(document);
  if (!entries.success) return null;
  const byProvider = new Map<string, Map<string, string[]>>();
  const providers = new Map(
    PROVIDERS.flatMap((row) => listProviderNames(row).map((each) => [each, row.name] as const)),
  );
  for (const [key, value] of Object.entries(entries.data)) {
    const { data } = publicModel.safeParse(value);
    const provider = providers.get(data?.litellm_provider ?? '');
    const model = name.safeParse(shortName(key)).data;
    if (data === undefined || provider === undefined || model === undefined) continue;
    if (!['chat', 'responses'].includes(data.mode ?? '') || data.supports_function_calling !== true) continue;
    const groups = byProvider.get(provider) ?? new Map<string, string[]>();
    const facts = JSON.stringify(toFacts(data));
    const models = groups.get(facts) ?? [];
    if (!models.includes(model)) models.push(model);
    byProvider.set(provider, groups.set(facts, models));
  }
  if (byProvider.size === 0) return null;
  const rows = PROVIDERS.flatMap((row) => {
    const groups = byProvider.get(row.name);
    if (groups === undefined) return [];
    return [
      [row.name, [...groups].map(([facts, models]) => ({ models, ...(JSON.parse(facts) as ModelFacts) }))] as const,
    ];
  });
  return { ...head, providers: Object.fromEntries(rows) };
}

/** Returns an entry's model. Azure's and Fireworks' entries have a region or an account before it. */
function shortName(entry: string): string {
  return entry.slice(entry.lastIndexOf('/') + 1);
}

function toFacts(model: PublicModel) {
  const { supported_endpoints: endpoints } = model;
  return {
    reasons: model.supports_reasoning === true,
    takes_sampling: model.supports_sampling_params,
    efforts: listEfforts(model),
    default_effort: model.default_reasoning_effort,
    has_chat: endpoints === undefined ? undefined : endpoints.includes('/v1/chat/completions'),
    has_responses: endpoints === undefined ? undefined : endpoints.includes('/v1/responses'),
    takes_schema: model.supports_response_schema === true ? true : undefined,
    max_output_tokens: model.max_output_tokens,
    retires: model.deprecation_date,
    retires_by: model.deprecation_date === undefined ? undefined : model.deprecation_source,
    successor: model.successor_model && shortName(model.successor_model),
  };
}

function listEfforts(model: PublicModel): string[] | undefined {
  if (model.reasoning_effort_levels !== undefined) return model.reasoning_effort_levels;
  const said = (each: string) => model[`supports_${each}_reasoning_effort`] as boolean | undefined;
  if (!LEVELS.some((each) => said(each) !== undefined)) return undefined;
  return LEVELS.filter((each) => said(each) ?? USUAL.includes(each));
}

const fileIn = (home: string) => join(home, 'models', 'capabilities.json');

/** Reads the newer of the shipped list and this machine's list, if the latter is complete. */
export async function readModelList(home: string): Promise<ModelList> {
  const shipped = listSchema.parse(
    JSON.parse(await readFile(fileURLToPath(import.meta.resolve('#data/model-capabilities.json')), 'utf8')),
  );
  const kept = await readKept(fileIn(home));
  return kept !== null && kept.taken >= shipped.taken ? kept : shipped;
}

async function readKept(file: string): Promise<ModelList | null> {
  try {
    return listSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

export async function keepModelList(home: string, list: ModelList): Promise<void> {
  await makeFolders(dirname(fileIn(home)), 0o700);
  await writeFileAtomically(fileIn(home), JSON.stringify(list));
}

/** Returns facts by name: `openai/gpt-5.6`. */
export function factsByName({ providers }: ModelList): Map<string, ModelFacts> {
  return new Map(
    Object.entries(providers).flatMap(([provider, groups]) =>
      groups.flatMap(({ models, ...facts }) => models.map((model) => [`${provider}/${model}`, facts] as const)),
    ),
  );
}

/** Describes a rule that the model's facts contradict; null if there is none. */
export function contradiction(of: string, facts: ModelFacts): string | null {
  const [provider = '', model = ''] = [of.slice(0, of.indexOf('/')), of.slice(of.indexOf('/') + 1)];
  const rules = findCapabilities(provider, model);
  if (rules.family === OTHER_MODELS) return facts.reasons === true ? 'reasons, and no rule names it' : null;
  if (facts.takes_sampling === false && rules.temperature === 'any') return 'takes no temperature';
  const known = effortsAt(provider, model);
  const others = known === undefined ? [] : (facts.efforts ?? []).filter((effort) => !known.includes(effort));
  return others.length === 0 ? null : `takes the effort ${others.join(', ')}`;
}
