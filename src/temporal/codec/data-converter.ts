/** What clients and workers pass payloads through: the same on both sides, or they do not understand each other. */

import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { defaultDataConverter, type DataConverter, type LoadedDataConverter } from '@temporalio/common';

import { EncryptionCodec } from './encryption.ts';
import { failureConverter } from './failure-converter.ts';
import type { KeyRing } from './keys.ts';

/** `.ts` from the sources, `.js` when compiled. */
export const failureConverterPath = fileURLToPath(
  new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url),
);

/** The codec is there without a key as well: it says what is missing where a payload turns out to be encrypted. */
export function clientDataConverter(keys: KeyRing): LoadedDataConverter {
  return {
    ...defaultDataConverter,
    ...(keys.length === 0 ? {} : { failureConverter }),
    payloadCodecs: [new EncryptionCodec(keys)],
  };
}

/** As the client's, in the form that a worker takes: it loads the module itself, and once more in the sandbox. */
export function workerDataConverter(keys: KeyRing): DataConverter {
  return {
    ...(keys.length === 0 ? {} : { failureConverterPath }),
    payloadCodecs: [new EncryptionCodec(keys)],
  };
}
