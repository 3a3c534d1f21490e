/** Which providers' calls a worker makes, and why it leaves others alone. */

import { PROVIDERS, ProviderError, providerRow, resolveProvider } from '../llm/providers.ts';
import type { CliContext } from './context.ts';
import { UsageError } from './failures.ts';
import { SCRIPTED } from './run/models.ts';

/**
 * A provider that cannot be used here is no reason to fail its calls: this worker does not listen for them, and another
 * one makes them.
 *
 * @param named what `--providers` asks for; null: all that can be used, the scripted model among them
 * @throws UsageError when one that is asked for is unknown or cannot be used
 */
export function chooseProviders(named: readonly string[] | null, context: CliContext): string[] {
  if (named === null) return usable(context);
  if (named.length === 0) throw new UsageError('--providers needs a name, such as openai.');
  for (const name of named) {
    try {
      if (providerRow(name).name !== SCRIPTED) resolveProvider(name, context.env);
    } catch (error) {
      if (error instanceof ProviderError) throw new UsageError(`--providers ${name}: ${error.message}.`);
      throw error;
    }
  }
  return [...new Set(named)];
}

function usable(context: CliContext): string[] {
  const names: string[] = [];
  const unset: string[] = [];
  for (const { name, keyVariable, baseUrlVariable, isKeyOptional = false } of PROVIDERS) {
    if (isKeyOptional && (context.env[baseUrlVariable] ?? '') === '') {
      // A server of one's own needs no key: that it is there is said by its address.
      unset.push(`${name} (${baseUrlVariable})`);
      continue;
    }
    try {
      if (name !== SCRIPTED) resolveProvider(name, context.env);
      names.push(name);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind === 'missing_key') unset.push(`${name} (${keyVariable})`);
      else if (error.kind === 'missing_address') unset.push(`${name} (${baseUrlVariable})`);
      else context.log(`${name}: ${error.message}; its calls are left to other workers`);
    }
  }
  if (unset.length > 0) context.log(`calls left to other workers, their variables are not set: ${unset.join(', ')}`);
  return names;
}
