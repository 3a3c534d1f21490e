/** `--prices FILE`: agreed prices of models, and prices of models that the price list lacks. */

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as z from 'zod';
import { providerModel, providerRow } from '../models/providers.ts';
import { decodeText } from '../io/index.ts';
import type { RunLog } from '../run-log/index.ts';
import {
  givenPrice,
  modelName,
  type EvaluationConfig,
  type ModelSettings,
  type ModelPrice,
} from '../evaluation/index.ts';
import { UsageError, describeUnreadable, withContext } from '../errors/index.ts';
import { pricesSchema } from './prices.schema.ts';

/** Value of `--prices`: a file's name, or the prices of a resumed run. */
type PricesOption = string | readonly ModelPrice[] | undefined;

/**
 * Reads all prices of `--prices`.
 * @param file JSON: `{"openai/gpt-4o": {"input": 2.5, "cached_input": 1.25, "output": 10}}`, USD per million tokens
 * @throws UsageError if the file cannot be read or has another shape
 */
export function readGivenPrices(file: PricesOption, cwd: string): readonly ModelPrice[] {
  if (file === undefined) return [];
  return typeof file === 'string' ? readPrices(resolve(cwd, file)) : file;
}

/**
 * Returns the prices of the run's own models for its configuration, so that every worker uses them.
 * @throws UsageError like {@link readGivenPrices}, and if the file has no price of these models
 */
export function choosePrices(
  file: PricesOption,
  models: readonly ModelSettings[],
  cwd: string,
): Pick<EvaluationConfig, 'prices'> {
  if (file === undefined) return {};
  if (typeof file !== 'string') return { prices: file };
  const prices = selectPrices(readGivenPrices(file, cwd), models);
  if (prices.length > 0) return { prices };
  const names = [...new Set(models.map(modelName))];
  throw new UsageError(`--prices ${file} has no price of the models that are called (${names.join(', ')}); add them.`);
}

/** Selects the prices of the models, each once; the first of several prices. */
export function selectPrices(given: readonly ModelPrice[], models: readonly ModelSettings[]): ModelPrice[] {
  return given.filter(
    (price) =>
      givenPrice({ prices: given }, price) === price &&
      models.some(({ provider, model }) => provider === price.provider && model === price.model),
  );
}

/** Stores all given prices in the run's folder, so that a fork with another model finds its price. */
export async function savePrices(log: RunLog, given: readonly ModelPrice[]): Promise<void> {
  const entries = given.map((price) => {
    const { input, cachedInput: cached_input, cacheWrite: cache_write, output } = price;
    return [modelName(price), { input, cached_input, cache_write, output }];
  });
  await log.writePrices(Object.fromEntries(entries) as object);
}

/** Reads the prices that {@link savePrices} stored; none if the run had no given prices. */
export function readSavedPrices({ paths }: RunLog): readonly ModelPrice[] {
  return existsSync(paths.prices) ? readPrices(paths.prices) : [];
}

function readPrices(path: string): ModelPrice[] {
  let value: unknown;
  try {
    value = JSON.parse(decodeText(readFileSync(path)));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON: ${error.message}` : describeUnreadable(error);
    throw new UsageError(`--prices: the file ${path} ${reason}.`);
  }
  const parsed = pricesSchema.safeParse(value);
  if (!parsed.success)
    throw new UsageError(`--prices: the file ${path} cannot be used: ${firstProblem(parsed.error)}.`);
  return Object.entries(parsed.data).map(
    ([name, { input, cached_input: cachedInput, cache_write: cacheWrite, output }]) => ({
      ...modelNamed(name, path),
      input,
      ...(cachedInput === undefined ? {} : { cachedInput }),
      ...(cacheWrite === undefined ? {} : { cacheWrite }),
      output,
    }),
  );
}

function modelNamed(name: string, path: string): Pick<ModelPrice, 'provider' | 'model'> {
  const [prefix = '', rest = ''] = name.split('/');
  if (rest === '') throw new UsageError(`--prices: the file ${path}: "${name}" must be named as provider/model.`);
  return withContext(`--prices: the file ${path}`, () => {
    const provider = providerRow(prefix).name;
    return { provider, model: providerModel(provider, name) };
  });
}

function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'another shape' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}
