/** Describes a model for display: what a run would send to it, and what is known about it. */

import type { WireName } from '../agents/index.ts';
import { isObject } from '../io/index.ts';
import type { ModelSettings } from '../evaluation/index.ts';
import { OTHER_MODELS } from './capabilities.ts';
import { readModelList } from './model-list.ts';
import { outlineRequest, type RequestOutline } from './outline.ts';
import { pricePerMillion, type UnitPrice } from './prices.ts';
import type { ProviderRow } from './provider-table.ts';
import { defaultTokenCap, modelCapabilities, providerRow } from './providers.ts';

export interface ModelDescription {
  readonly provider: string;
  readonly model: string;
  readonly family: string;
  /** False if no rule names the model. */
  readonly known: boolean;
  readonly wire: WireName;
  readonly url: string | null;
  readonly path: string;
  /** Temperature that the run sets, and the one that is sent; null: none is sent. */
  readonly temperature: { readonly asked: number; readonly sent: number | null };
  readonly seedField: string | null;
  readonly reasons: boolean;
  readonly effort: {
    readonly sent: string | null;
    /** Levels of effort that the model accepts; null if unknown. */
    readonly levels: readonly string[] | null;
    /** Fields that carry the effort: `reasoning.effort`. */
    readonly fields: readonly string[];
  };
  readonly tokenCap: {
    readonly field: string | null;
    readonly agent: number | null;
    readonly user: number | null;
    readonly judge: number | null;
  };
  readonly jsonMode: boolean;
  readonly handedBack: readonly string[];
  readonly usdPerMillion: UnitPrice | null;
  readonly list: ListEntry;
}

/** Facts about a model from the current list. */
interface ListEntry {
  readonly source: string;
  readonly licence: string;
  readonly taken: string;
  /** Null if the list does not have the model. */
  readonly facts: Readonly<Record<string, unknown>> | null;
}

/** A number that occurs in no other field of a request. */
const MARK = 987_654_321;

/**
 * @param settings settings of a run, with a requested temperature of 0
 * @param home folder in which a refreshed list is kept
 * @throws ProviderError
 */
export async function loadModelDescription(
  settings: ModelSettings,
  env: NodeJS.ProcessEnv,
  home: string,
): Promise<ModelDescription> {
  const { provider, model, reasoning_effort: effort, wire = 'chat' } = settings;
  const row = providerRow(provider);
  const { family, reasons, efforts } = modelCapabilities(provider, model);
  const findCap = (side: 'agent' | 'user' | 'judge') => defaultTokenCap(provider, model, side, effort);
  const cap = findCap('agent');
  const request = { ...settings, ...(cap === null ? {} : { maxCompletionTokens: cap }) };
  const level = effort ?? (efforts?.includes('low') === false ? efforts[0] : 'low') ?? 'low';
  const { reasoning_effort: _, ...quiet } = request;
  const [sent, seeded, json, mute, reasoning] = await Promise.all([
    outlineRequest(request, env),
    outlineRequest({ ...request, seed: MARK }, env),
    outlineRequest({ ...request, format: 'json' }, env),
    outlineRequest(quiet, env),
    outlineRequest({ ...request, reasoning_effort: level }, env),
  ]);
  const { temperature } = sent.settings;
  return {
    provider,
    model,
    family,
    known: family !== OTHER_MODELS,
    wire,
    url: sent.url,
    path: sent.path,
    temperature: { asked: 0, sent: typeof temperature === 'number' ? temperature : null },
    seedField: listFieldPaths(seeded).find((path) => !listFieldPaths(sent).includes(path)) ?? null,
    reasons,
    effort: {
      sent: effort ?? null,
      levels: efforts ?? null,
      fields: listFieldPaths(reasoning).filter((path) => !listFieldPaths(mute).includes(path)),
    },
    tokenCap: {
      field: ['max_completion_tokens', 'max_output_tokens', 'max_tokens'].find((name) => name in sent.settings) ?? null,
      agent: cap,
      user: findCap('user'),
      judge: findCap('judge'),
    },
    jsonMode: listFieldPaths(json).length > listFieldPaths(sent).length,
    handedBack: handedBackOver(wire, row),
    usdPerMillion: pricePerMillion(provider, model),
    list: await findListed(provider, model, home),
  };
}

/** Lists the fields of a reply that are sent back with the next request of an episode, to the model that made them. */
export function handedBackOver(wire: WireName, { handsBack = [] }: Pick<ProviderRow, 'handsBack'>): readonly string[] {
  if (wire === 'chat') return handsBack;
  return [wire === 'responses' ? 'all output items' : 'content blocks with thoughts and signatures'];
}

/** Names of all fields, those of an object one by one: `reasoning.effort`. */
function listFieldPaths({ settings }: RequestOutline): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
}

/** Reads the facts about a model in the current list. */
async function findListed(provider: string, model: string, home: string): Promise<ListEntry> {
  const { providers, ...head } = await readModelList(home);
  // The list has names without a region, a vendor or an account.
  const name = model.slice(model.lastIndexOf('/') + 1);
  const found = providers[provider]?.find(({ models }) => models.includes(name));
  if (found === undefined) return { ...head, facts: null };
  const { models: _, ...facts } = found;
  return { ...head, facts };
}
