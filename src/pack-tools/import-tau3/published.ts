/** The commit of tau2-bench that an import is compared with, and the digests of the files made from it. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

export const TAU3_URL = 'https://github.com/sierra-research/tau2-bench';

/** The commit of 2026-08-18, after version 1.0.1. Conformance tests use its data. */
export const TAU3_COMMIT = 'a2c0247';

const publishedSchema = z.object({ files: z.record(z.string(), z.string()) });

let published: Readonly<Record<string, string>> | undefined;

/** Returns the sha256 of each file of a pack of {@link TAU3_COMMIT}, by `<domain>/<file>`; reads them on first use. */
export function publishedFiles(): Readonly<Record<string, string>> {
  const path = fileURLToPath(import.meta.resolve('#data/tau3-published.json'));
  return (published ??= publishedSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).files);
}
