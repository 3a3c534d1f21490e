/** `--prices FILE`: what models cost by agreement, or models that the price list does not know. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { ProviderError, providerModel, providerRow } from '../../llm/providers.ts';
import type { EvaluationConfig, ModelConfig, ModelPrice } from '../../wire/config.ts';
import { UsageError } from '../failures.ts';
import { pricesSchema } from './prices.schema.ts';

/**
 * The prices of the run's own models, so that they are in its configuration and every worker counts with them.
 * @param file its name, or the prices of a run that is taken up again; JSON: `{"openai/gpt-4o": {"input": 2.5, "cached_input": 1.25, "output": 10}}`, USD per million tokens
 * @throws UsageError when the file cannot be read, is of another shape, or has no price of any model of the run
 */
export function choosePrices(
  file: string | readonly ModelPrice[] | undefined,
  models: readonly ModelConfig[],
  cwd: string,
): Pick<EvaluationConfig, 'prices'> {
  if (file === undefined) return {};
  if (typeof file !== 'string') return { prices: file };
  const path = resolve(cwd, file);
  const given = readPrices(path);
  const prices = given.filter((price) =>
    models.some(({ provider, model }) => provider === price.provider && model === price.model),
  );
  if (prices.length > 0) return { prices };
  const names = [...new Set(models.map(({ provider, model }) => `${provider}/${model}`))];
  throw new UsageError(`--prices ${file} has no price of the run's models (${names.join(', ')}); add them.`);
}

function readPrices(path: string): ModelPrice[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'cannot be read';
    throw new UsageError(`--prices: the file ${path} ${reason}.`);
  }
  const parsed = pricesSchema.safeParse(value);
  if (!parsed.success)
    throw new UsageError(`--prices: the file ${path} cannot be used: ${firstProblem(parsed.error)}.`);
  return Object.entries(parsed.data).map(([name, { input, cached_input: cachedInput, output }]) => ({
    ...modelNamed(name, path),
    input,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    output,
  }));
}

function modelNamed(name: string, path: string): Pick<ModelPrice, 'provider' | 'model'> {
  const [prefix = '', rest = ''] = name.split('/');
  if (rest === '') throw new UsageError(`--prices: the file ${path}: "${name}" must be named as provider/model.`);
  try {
    const provider = providerRow(prefix).name;
    return { provider, model: providerModel(provider, name) };
  } catch (error) {
    if (error instanceof ProviderError) throw new UsageError(`--prices: the file ${path}: ${error.message}.`);
    throw error;
  }
}

function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'another shape' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}
