/**
 * Who can be asked for a completion. A provider is one row of {@link PROVIDERS}; nothing else in the project knows
 * their addresses, the variables that hold their keys, or how they differ.
 */

/** How the calls of a provider are priced. */
export type PriceSource =
  /** Nothing is paid: every call costs 0. */
  | { readonly kind: 'free' }
  /** Looked up in the price library under this provider id. */
  | { readonly kind: 'listed'; readonly providerId: string };

export interface ProviderRow {
  readonly name: string;
  /** Where its API is, path prefix included; null: a server of this project, whose address the process knows. */
  readonly baseUrl: string | null;
  /** The environment variable that overrides the address. */
  readonly baseUrlVariable: string;
  /** The environment variable that holds the key; null: it takes none. */
  readonly keyVariable: string | null;
  /** Request header → environment variable that fills it, where set. */
  readonly headerVariables: Readonly<Record<string, string>>;
  /** Whether a request may carry a `seed`. */
  readonly takesSeed: boolean;
  readonly prices: PriceSource;
}

export const PROVIDERS: readonly ProviderRow[] = [
  {
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    headerVariables: { 'OpenAI-Organization': 'OPENAI_ORG_ID', 'OpenAI-Project': 'OPENAI_PROJECT_ID' },
    takesSeed: true,
    prices: { kind: 'listed', providerId: 'openai' },
  },
  {
    name: 'scripted',
    baseUrl: null,
    baseUrlVariable: 'TAUFLOW_SCRIPTED_URL',
    keyVariable: null,
    headerVariables: {},
    takesSeed: true,
    prices: { kind: 'free' },
  },
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Addresses that only the running process knows. */
export interface ProviderRuntime {
  /** Base URL of the scripted model's server, `/v1` included. */
  readonly scriptedUrl?: string;
}

export interface ResolvedProvider {
  readonly row: ProviderRow;
  readonly baseURL: string;
  /** null for a provider without keys. */
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export type ProviderErrorKind = 'unknown_provider' | 'missing_key' | 'missing_address' | 'bad_address';

/** A provider cannot be used as the environment is. The message is one sentence for a person and holds no key. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;

  constructor(kind: ProviderErrorKind, message: string) {
    super(message);
    this.name = 'ProviderError';
    this.kind = kind;
  }
}

/** @throws ProviderError `unknown_provider` */
export function providerRow(name: string): ProviderRow {
  const row = PROVIDERS.find((candidate) => candidate.name === name);
  if (row !== undefined) return row;
  const known = PROVIDERS.map((candidate) => candidate.name).join(', ');
  throw new ProviderError('unknown_provider', `unknown model provider ${JSON.stringify(name)}; known are: ${known}`);
}

/**
 * Address and key of a provider.
 * @param env the process's environment, passed as a value
 * @throws ProviderError
 */
export function resolveProvider(name: string, env: Environment, runtime: ProviderRuntime = {}): ResolvedProvider {
  const row = providerRow(name);
  const apiKey = row.keyVariable === null ? null : setting(env, row.keyVariable);
  if (apiKey === undefined) {
    const remedy = 'export it, or run without --model to use the scripted model';
    throw new ProviderError('missing_key', `${String(row.keyVariable)} is not set; ${remedy}`);
  }
  const headers: Record<string, string> = {};
  for (const [header, variable] of Object.entries(row.headerVariables)) {
    const value = setting(env, variable);
    if (value !== undefined) headers[header] = value;
  }
  return { row, baseURL: baseUrlOf(row, env, runtime), apiKey, headers };
}

/** The model's name as the provider knows it: `openai/gpt-4o` is how LiteLLM writes provider openai's `gpt-4o`. */
export function providerModel(provider: string, model: string): string {
  const prefix = `${provider}/`;
  return model.startsWith(prefix) ? model.slice(prefix.length) : model;
}

function baseUrlOf(row: ProviderRow, env: Environment, runtime: ProviderRuntime): string {
  const override = setting(env, row.baseUrlVariable);
  const url = override ?? row.baseUrl ?? runtime.scriptedUrl;
  if (url === undefined) {
    throw new ProviderError(
      'missing_address',
      `provider ${row.name} has no address in this process; set ${row.baseUrlVariable} to a running server's base URL`,
    );
  }
  if (!isUsableUrl(url)) {
    // The value is not shown: a password may be in it.
    throw new ProviderError(
      'bad_address',
      `${row.baseUrlVariable} is not a usable base URL; write it as http(s)://host:port/v1, without user or password`,
    );
  }
  return url.replace(/\/+$/, '');
}

function isUsableUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** A variable's value without surrounding white space, which a header could not carry; undefined when empty. */
function setting(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim();
  return value === '' ? undefined : value;
}
