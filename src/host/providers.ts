/** The providers whose calls a process makes, and the reasons for leaving others out. */

import { UsageError, withContext } from '../errors/index.ts';
import { PROVIDERS, ProviderError, SCRIPTED, keyProblems, providerRow, resolveProvider } from '../models/providers.ts';
import type { Surroundings } from './surroundings.ts';

/** All providers except the scripted model, grouped by whether this process can call them. */
interface Survey {
  readonly usable: readonly string[];
  /** Providers whose key is not set. */
  readonly keyless: readonly string[];
  /** Sentences on unusable settings. */
  readonly problems: readonly string[];
}

export function surveyProviders(env: NodeJS.ProcessEnv): Survey {
  const usable: string[] = [];
  const keyless: string[] = [];
  const problems: string[] = [];
  for (const { name, isKeyOptional = false, baseUrlVariable } of PROVIDERS) {
    // The user's own server needs no key; its address shows that it exists.
    if (name === SCRIPTED || (isKeyOptional && !isSet(env[baseUrlVariable]))) continue;
    try {
      resolveProvider(name, env);
      usable.push(name);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind === 'missing_key') keyless.push(name);
      else problems.push(`${name}: ${error.message}`);
    }
  }
  return { usable, keyless, problems };
}

/**
 * Chooses the providers whose calls this worker makes. It does not poll for calls of other providers, so that other
 * workers make them.
 *
 * @param named the names of `--providers`; null: all usable ones, with the scripted model
 * @throws UsageError if a named provider is unknown or unusable, and for a key that can never work
 */
export function chooseProviders(named: readonly string[] | null, { env }: Pick<Surroundings, 'env'>): string[] {
  if (named === null) {
    const [problem] = PROVIDERS.flatMap(({ name }) => keyProblems(name, env));
    if (problem !== undefined) throw new UsageError(`${problem}.`);
    return [...surveyProviders(env).usable, SCRIPTED];
  }
  if (named.length === 0) throw new UsageError('--providers needs a name, such as openai.');
  const names = named.map((name) => {
    return withContext(`--providers ${name}`, () => {
      const row = providerRow(name);
      if (row.name !== SCRIPTED) resolveProvider(row.name, env);
      return row.name;
    });
  });
  return [...new Set(names)];
}

/** Describes the providers that a worker without `--providers` leaves to other workers, one sentence each. */
export function leftToOthers(env: NodeJS.ProcessEnv): string[] {
  const { keyless, problems } = surveyProviders(env);
  const sentences = problems.map((problem) => `${problem}; its calls are left to other workers`);
  if (keyless.length === 0) return sentences;
  return [
    ...sentences,
    `calls left to other workers, their keys are not set here: ${keyless.join(', ')} (\`tauflow doctor\` names the variables)`,
  ];
}

/**
 * Checks, before anything starts, that this process can call the providers of a run.
 * @throws ProviderError
 */
export function requireProviders({ env }: Pick<Surroundings, 'env'>, providers: readonly string[]): void {
  for (const provider of new Set(providers)) {
    if (provider !== SCRIPTED) resolveProvider(provider, env);
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
