/**
 * Encrypts payloads by AES-256-GCM, in the form of Temporal's own samples. The plain text is the whole payload as
 * protobuf. The data of the encrypted payload are 12 random bytes, the cipher text and the 16-byte tag; its metadata
 * name the encoding and the key's id.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  defaultDataConverter,
  type DataConverter,
  type LoadedDataConverter,
  type Payload,
  type PayloadCodec,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import { ServerError } from '../errors.ts';
import { failureConverter } from './failure-converter.ts';

export const ENCRYPTION_VARIABLE = 'TAUFLOW_ENCRYPTION_KEY';

interface EncryptionKey {
  /** Id of the key, which each payload has in plain text. */
  readonly id: string;
  /** AES-256 key, as a platform object that does not print its bytes. */
  readonly secret: KeyObject;
}

/** Encryption keys of a process; empty: payloads are not encrypted. */
export type KeyRing = readonly EncryptionKey[];

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const ID = /^[\w.-]{1,64}$/;

/**
 * Reads `TAUFLOW_ENCRYPTION_KEY`: base64 of 32 bytes, or several of them separated by commas, each with or without an
 * `id:` in front. The default id of a key is the beginning of its digest, so that two keys never share one.
 *
 * @throws ServerError `bad-configuration`; the message never contains a part of the value
 */
export function readKeyRing(env: Readonly<Record<string, string | undefined>>): KeyRing {
  const items = (env[ENCRYPTION_VARIABLE] ?? '').trim();
  if (items === '') return [];
  const keys = items.split(',').map((item, index) => readKey(item.trim(), index + 1));
  const ids = keys.map(({ id }) => id);
  const double = ids.find((id, index) => ids.indexOf(id) !== index);
  if (double !== undefined) throw unusableKeyError(`has two keys of the id ${double}`);
  return keys;
}

function readKey(item: string, place: number): EncryptionKey {
  const colon = item.indexOf(':');
  const text = item.slice(colon + 1);
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (bytes.length !== KEY_BYTES) throw unusableKeyError(`has no 32 bytes in base64 as its key number ${place}`);
  const id = colon === -1 ? createHash('sha256').update(bytes).digest('hex').slice(0, 8) : item.slice(0, colon);
  if (!ID.test(id))
    throw unusableKeyError(`gives its key number ${place} an id of other characters than letters, digits, - . _`);
  return { id, secret: createSecretKey(bytes) };
}

function unusableKeyError(what: string): ServerError {
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

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ENCODING = 'binary/encrypted';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** Encrypts payloads with the first key, if any, and decrypts with any key. */
export class EncryptionCodec implements PayloadCodec {
  readonly #keys: KeyRing;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  /** True if encoding leaves payloads unchanged. */
  get isIdle(): boolean {
    return this.#keys.length === 0;
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    const [first] = this.#keys;
    return Promise.resolve(first === undefined ? payloads : payloads.map((payload) => encrypt(payload, first)));
  }

  /** @throws ServerError `encryption-key` for a payload with an unknown key, or a modified one */
  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws has to be a rejection
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => (readKeyId(payload) === null ? payload : this.#decrypt(payload)));
  }

  #decrypt(payload: Payload): Payload {
    const id = readKeyId(payload) ?? '';
    const key = this.#keys.find((candidate) => candidate.id === id);
    if (key === undefined) throw missingKey(id, this.#keys);
    try {
      return decrypt(payload, key);
    } catch {
      // The platform's reason ("unable to authenticate data") does not help a person.
      throw new ServerError(
        'encryption-key',
        `what was encrypted with the key ${id} cannot be decrypted with this process's key of that id; correct ${ENCRYPTION_VARIABLE}`,
      );
    }
  }
}

/** Returns the id of the key that encrypts a payload; null for a plain one. */
export function readKeyId({ metadata }: Payload): string | null {
  if (decodeUtf8(metadata?.['encoding']) !== ENCODING) return null;
  return decodeUtf8(metadata?.['encryption-key-id']);
}

export function missingKey(id: string, keys: KeyRing): ServerError {
  const has = keys.length === 0 ? 'this process has no key' : `the keys of this process are: ${describeKeys(keys)}`;
  return new ServerError(
    'encryption-key',
    `the texts of this workflow are encrypted with the key ${id} and ${has}; set ${ENCRYPTION_VARIABLE} to the key that it was started with`,
  );
}

function encrypt(payload: Payload, { id, secret }: EncryptionKey): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, secret, iv, { authTagLength: TAG_BYTES });
  const text = cipher.update(PayloadMessage.encode(payload).finish());
  const data = Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]);
  return { metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': Buffer.from(id) }, data };
}

function decrypt({ data }: Payload, { secret }: EncryptionKey): Payload {
  const bytes = data ?? new Uint8Array();
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new RangeError('too short');
  const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  return PayloadMessage.decode(plain);
}

function decodeUtf8(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}

/** Path of the failure converter's module: `.ts` from the sources, `.js` when compiled. */
const failureConverterPath = fileURLToPath(new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url));

/** Returns the client's converter. It has the codec even without keys, to explain an encrypted payload. */
export function clientDataConverter(keys: KeyRing): LoadedDataConverter {
  return {
    ...defaultDataConverter,
    ...(keys.length === 0 ? {} : { failureConverter }),
    payloadCodecs: [new EncryptionCodec(keys)],
  };
}

/**
 * Returns the client's converter in a worker's form, in which the worker and the sandbox load the module themselves.
 */
export function workerDataConverter(keys: KeyRing): DataConverter {
  return {
    ...(keys.length === 0 ? {} : { failureConverterPath }),
    payloadCodecs: [new EncryptionCodec(keys)],
  };
}
