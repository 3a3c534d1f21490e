/** Keys that payloads are encrypted with. Light: the start of a server needs them, and nothing of Temporal's SDK. */

import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { ServerError } from './errors.ts';
import type { Environment } from '../server/index.ts';

export const ENCRYPTION_VARIABLE = 'TAUFLOW_ENCRYPTION_KEY';

export interface EncryptionKey {
  /** Travels with each payload, in plain text. */
  readonly id: string;
  /** AES-256. An object of the platform's, which shows its bytes to nobody who prints it. */
  readonly secret: KeyObject;
}

/** Empty: nothing is encrypted. */
export type KeyRing = readonly EncryptionKey[];

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const ID = /^[\w.-]{1,64}$/;

/**
 * Reads `TAUFLOW_ENCRYPTION_KEY`: base64 of 32 bytes, or several of them with commas between, each with an `id:` before
 * it or without. A key without a name is called by the first digits of its digest, so that another key never passes
 * for it.
 *
 * @throws ServerError `bad-configuration`; the message never holds a part of the value
 */
export function readKeyRing(env: Environment): KeyRing {
  const items = (env[ENCRYPTION_VARIABLE] ?? '').trim();
  if (items === '') return [];
  const keys = items.split(',').map((item, index) => readKey(item.trim(), index + 1));
  const ids = keys.map(({ id }) => id);
  const double = ids.find((id, index) => ids.indexOf(id) !== index);
  if (double !== undefined) throw unusable(`has two keys of the id ${double}`);
  return keys;
}

function readKey(item: string, place: number): EncryptionKey {
  const colon = item.indexOf(':');
  const text = item.slice(colon + 1);
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (bytes.length !== KEY_BYTES) throw unusable(`has no 32 bytes in base64 as its key number ${place}`);
  const id = colon === -1 ? createHash('sha256').update(bytes).digest('hex').slice(0, 8) : item.slice(0, colon);
  if (!ID.test(id))
    throw unusable(`gives its key number ${place} an id of other characters than letters, digits, - . _`);
  return { id, secret: createSecretKey(bytes) };
}

function unusable(what: string): ServerError {
  return new ServerError(
    'bad-configuration',
    `${ENCRYPTION_VARIABLE} ${what}; write it as BASE64 or ID:BASE64,ID2:BASE64 (\`openssl rand -base64 32\` makes a key) or unset it`,
  );
}

/** Ids of the process's keys, as the end of a sentence; never the keys. */
export function describeKeys(keys: KeyRing): string {
  const [first, ...others] = keys.map(({ id }) => id);
  if (first === undefined) return 'none';
  return others.length === 0 ? first : `${first} (decrypts ${others.join(', ')} as well)`;
}
