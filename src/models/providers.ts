/** Address and key of a provider, from the environment. */

import { UsageError } from '../errors/index.ts';
import { environmentSetting as setting, findHeaderProblem, suggestName } from '../io/index.ts';
import { findCapabilities, effortsAt, mostTokens, type Capabilities } from './capabilities.ts';
import { PROVIDERS, type ProviderRow } from './provider-table.ts';

export { PROVIDERS };

/** The provider that plays agent and user from the tasks' ground truth. */
export const SCRIPTED = 'scripted';

/** Addresses that only the running process knows. */
export interface ProviderRuntime {
  /** Base URL of the scripted model's server, `/v1` included. */
  readonly scriptedUrl?: string;
}

export interface ResolvedProvider {
  readonly row: ProviderRow;
  /** Normalized address: lower-case host, no default port, query or trailing slash. */
  readonly baseURL: string;
  /** The address's query, sent with every request, such as Azure's `api-version`. */
  readonly query: Readonly<Record<string, string>>;
  /** Address of the provider's Anthropic Messages, to which `/v1/messages` is added. */
  readonly messages: Address;
  /** Key of the API; null for a provider without keys. */
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

type ProviderErrorKind =
  'unknown_provider' | 'missing_key' | 'bad_key' | 'missing_address' | 'bad_address' | 'bad_label';

/** Error of a provider that cannot be used in this environment. The message is one sentence without keys. */
export class ProviderError extends UsageError {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;

  constructor(kind: ProviderErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * @param name the provider's name or an alias
 * @throws ProviderError `unknown_provider`
 */
export function providerRow(name: string): ProviderRow {
  const row = PROVIDERS.find((candidate) => listProviderNames(candidate).includes(name));
  if (row !== undefined) return row;
  throw new ProviderError(
    'unknown_provider',
    `unknown model provider ${JSON.stringify(name)}${suggestName(name, PROVIDERS.flatMap(listProviderNames))}; known are: ${providerNames()}`,
  );
}

/** Returns all providers' own names, for a sentence: `openai, azure, …`. */
export function providerNames(): string {
  return PROVIDERS.map(({ name }) => name).join(', ');
}

/**
 * Returns the address and key of a provider.
 * @param env the process's environment, passed as a value
 * @throws ProviderError
 */
export function resolveProvider(name: string, env: NodeJS.ProcessEnv, runtime: ProviderRuntime = {}): ResolvedProvider {
  const row = providerRow(name);
  const apiKey = findKey(row, env);
  if (apiKey === undefined) {
    throw new ProviderError('missing_key', `${listKeyVariables(row).join(' or ')} is not set; export it`);
  }
  const [problem] = keyProblems(name, env);
  if (problem !== undefined) throw new ProviderError('bad_key', problem);
  const headers: Record<string, string> = {};
  for (const [header, variable] of Object.entries(row.headerVariables ?? {})) {
    const value = setting(env, variable);
    if (value !== undefined) headers[header] = value;
  }
  const address = requireAddress(row, env, runtime);
  return { row, ...address, messages: messagesAddress(row, env) ?? beforeVersion(address), apiKey, headers };
}

/** Returns the names that users may write for a provider, its own name first. */
export function listProviderNames({ name, aliases = [] }: ProviderRow): readonly string[] {
  return [name, ...aliases];
}

/** Returns the variables that may hold a provider's key, in order of precedence; empty if it needs none. */
export function listKeyVariables({ keyVariable, keyAliases = [] }: ProviderRow): readonly string[] {
  return keyVariable === null ? [] : [keyVariable, ...keyAliases];
}

/** Returns the provider's own name of a model: LiteLLM writes provider openai's `gpt-4o` as `openai/gpt-4o`. */
export function providerModel(provider: string, model: string): string {
  const prefix = listProviderNames(providerRow(provider)).find((name) => model.startsWith(`${name}/`));
  return prefix === undefined ? model : model.slice(prefix.length + 1);
}

/** @param model may carry LiteLLM's prefix */
export function modelCapabilities(provider: string, model: string): Capabilities {
  return findCapabilities(providerRow(provider).name, providerModel(provider, model));
}

/**
 * True if a model accepts a temperature. A model with a fixed temperature is sent none, not even that one.
 * @param effort requested effort
 */
export function takesTemperature(provider: string, model: string, effort?: string): boolean {
  const { temperature: taken } = modelCapabilities(provider, model);
  if (taken === 'with_effort_none') return effort === 'none';
  return taken === 'any' || (taken === 'without_effort' && (effort === undefined || effort === 'none'));
}

/**
 * Returns a sentence on why a model does not accept an effort; null if it does, or if unknown.
 * @param model may carry LiteLLM's prefix
 */
export function refusedEffort(provider: string, model: string, effort: string): string | null {
  const { name } = providerRow(provider);
  const asked = providerModel(name, model);
  const levels = effortsAt(name, asked);
  if (levels === undefined || levels.includes(effort)) return null;
  const why =
    effort === 'none'
      ? `the thinking of ${name}/${asked} cannot be turned off`
      : `${name}/${asked} has no reasoning effort ${JSON.stringify(effort)}`;
  const instead = levels.length === 0 ? 'leave the effort out' : `use ${levels.join(', ')}, or leave the effort out`;
  return `${why}; ${instead}.`;
}

/**
 * Returns a sentence on why a provider does not accept a temperature; null if it does, or if unknown.
 * @param model may carry LiteLLM's prefix
 */
export function refusedTemperature(provider: string, model: string, temperature: number): string | null {
  const { name, mostTemperature: most } = providerRow(provider);
  if (most === undefined || (temperature >= 0 && temperature <= most)) return null;
  const asked = `${name}/${providerModel(name, model)}`;
  return `${asked} takes no temperature of ${temperature}; use one from 0 to ${most}, or none at all (default).`;
}

/**
 * Default caps on a completion's tokens. The longest replies in the benchmark's published trajectories have about 320
 * tokens, the simulated user's 80; current models allow at least 4,096.
 */
export const DEFAULT_TOKEN_CAPS = { agent: 4_096, user: 2_048, judge: 4_096, reasoning: 32_768 } as const;

/** @param effort requested reasoning effort @returns null to send none */
export function defaultTokenCap(
  provider: string,
  model: string,
  side: 'agent' | 'user' | 'judge',
  effort = 'none',
): number | null {
  const { tokenCapField, mostTokens: mostAt = Infinity } = providerRow(provider);
  if (tokenCapField === null) return null;
  const reasons = effort !== 'none' || modelCapabilities(provider, model).reasons;
  return Math.min(DEFAULT_TOKEN_CAPS[reasons ? 'reasoning' : side], mostAt, mostTokens(model) ?? Infinity);
}

/**
 * Returns problems of a provider's key and of other headers from the environment that are invalid as headers: one
 * sentence each, without the values.
 * @throws ProviderError `unknown_provider`
 */
export function keyProblems(name: string, env: NodeJS.ProcessEnv): string[] {
  const row = providerRow(name);
  const key = listKeyVariables(row).find((variable) => setting(env, variable) !== undefined);
  return [
    key === undefined ? null : findHeaderProblem(env, key),
    ...Object.values(row.headerVariables ?? {}).map((variable) => findHeaderProblem(env, variable, 'text')),
  ].filter((problem) => problem !== null);
}

/** Returns the provider's key; null if it takes none, or works without one; undefined if the key is missing. */
function findKey(row: ProviderRow, env: NodeJS.ProcessEnv): string | null | undefined {
  const [key] = listKeyVariables(row).flatMap((variable) => setting(env, variable) ?? []);
  return key ?? (row.keyVariable === null || row.isKeyOptional === true ? null : undefined);
}

interface Address {
  readonly baseURL: string;
  readonly query: Readonly<Record<string, string>>;
}

function requireAddress(row: ProviderRow, env: NodeJS.ProcessEnv, runtime: ProviderRuntime): Address {
  const address = findAddress(row, env, runtime);
  if (address !== null) return address;
  throw new ProviderError(
    'missing_address',
    `provider ${row.name} has no address in this process; set ${row.baseUrlVariable} to ${row.addressHint ?? "a running server's base URL"}`,
  );
}

/**
 * Returns a provider's base URL without its query, with or without a key; null if only another process knows it.
 * @throws ProviderError `unknown_provider`, `bad_address`
 */
export function usableBaseUrl(name: string, env: NodeJS.ProcessEnv): string | null {
  return findAddress(providerRow(name), env, {})?.baseURL ?? null;
}

/**
 * Returns the base URL that a provider has only for Anthropic's Messages; null without one.
 * @throws ProviderError `unknown_provider`, `bad_address`
 */
export function ownMessagesUrl(name: string, env: NodeJS.ProcessEnv): string | null {
  return messagesAddress(providerRow(name), env)?.baseURL ?? null;
}

function messagesAddress({ messagesUrlVariable: variable }: ProviderRow, env: NodeJS.ProcessEnv): Address | null {
  const url = variable === undefined ? undefined : setting(env, variable);
  return variable === undefined || url === undefined ? null : beforeVersion(readAddress(url, variable));
}

/** Removes the version, because Anthropic's addresses end before it. */
function beforeVersion({ baseURL, query }: Address): Address {
  return { baseURL: baseURL.replace(/\/v1$/, ''), query };
}

function findAddress(row: ProviderRow, env: NodeJS.ProcessEnv, runtime: ProviderRuntime): Address | null {
  const override = setting(env, row.baseUrlVariable);
  const url = override ?? row.baseUrl ?? (row.name === 'scripted' ? runtime.scriptedUrl : undefined);
  return url === undefined ? null : readAddress(url, row.baseUrlVariable);
}

function readAddress(url: string, variable: string): Address {
  if (!isUsableUrl(url)) {
    // The value is not shown, because it may contain a password.
    throw new ProviderError(
      'bad_address',
      `${variable} is not a usable base URL; write it as http(s)://host:port/v1, without user or password`,
    );
  }
  const { protocol, host, pathname, searchParams } = new URL(url);
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  return { baseURL: `${protocol}//${host}${path}`, query: Object.fromEntries(searchParams) };
}

function isUsableUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
