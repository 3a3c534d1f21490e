/** The shape of `pack.json`. */

import { z } from 'zod';
import { DOMAINS, isDomain } from './domains.ts';
import { listWords } from './problem.ts';

/** The only manifest format there is. */
export const MANIFEST_FORMAT = 1;

/** A pack's name is also a folder's name and part of run ids. */
export const PACK_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

export const manifestSchema = z.looseObject({
  format: z.custom<typeof MANIFEST_FORMAT>((value) => value === MANIFEST_FORMAT, {
    message: `must be ${String(MANIFEST_FORMAT)}, the only format that this version reads`,
  }),
  name: z.string().regex(PACK_NAME, 'must be letters, digits, ".", "_" and "-" only, up to 100 of them'),
  domain: z.string().refine(isDomain, `must be ${listWords(DOMAINS, 'or')}`),
  source: z.string(),
  licence: z.string(),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/, 'must be a sha256 in lower-case hex')),
});

export type Manifest = z.infer<typeof manifestSchema>;
