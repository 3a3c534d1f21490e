/** The list of models that a provider serves. */

import * as z from 'zod';
import type { ResolvedProvider } from './providers.ts';

const MOST_MODELS = 2_000;

const listSchema = z.object({
  data: z
    .array(
      z.object({
        id: z.string().max(200),
        /** The field's name at OpenAI and Azure, and at OpenRouter. */
        shutdown_date: z.iso.date().nullish().catch(undefined),
        expiration_date: z.iso.date().nullish().catch(undefined),
      }),
    )
    .max(MOST_MODELS),
});

export interface ServedModel {
  readonly name: string;
  /** Date from which it is no longer served; null: none is announced; absent: the provider's list has no dates. */
  readonly retires?: string | null;
}

/** @returns null if no server answers; an empty list for an answer that is no list */
export async function listModels(provider: ResolvedProvider, timeoutMs: number): Promise<ServedModel[] | null> {
  const { baseURL, apiKey } = provider;
  try {
    const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseURL}/models`, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const listed = listSchema.safeParse(await response.json().catch(() => null));
    if (!listed.success) return [];
    return listed.data.data.map(({ id, shutdown_date, expiration_date }) => ({
      name: id,
      retires: shutdown_date === undefined ? expiration_date : shutdown_date,
    }));
  } catch {
    return null;
  }
}
