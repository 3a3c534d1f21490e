/**
 * A client for lists: they have runs of everybody, and what somebody has encrypted with another key must not keep a
 * person from seeing their own. Ids, status and search attributes are plain; a memo that cannot be read counts as empty.
 */

import { Client } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { ServerError, keyIdOf } from '../codec/index.ts';

export function listingClient({ connection, options }: Client): Client {
  const { namespace, identity, loadedDataConverter } = options;
  const codec = new BlankingCodec(loadedDataConverter.payloadCodecs);
  return new Client({ connection, namespace, identity, dataConverter: { payloadCodecs: [codec] } });
}

/** What the SDK reads as undefined. */
const NOTHING: Payload = { metadata: { encoding: Buffer.from('binary/null') } };

class BlankingCodec implements PayloadCodec {
  readonly #codecs: readonly PayloadCodec[];

  constructor(codecs: readonly PayloadCodec[]) {
    this.#codecs = codecs;
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads);
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return await Promise.all(payloads.map((payload) => this.#read(payload)));
  }

  async #read(payload: Payload): Promise<Payload> {
    try {
      let read: Payload | undefined = payload;
      for (const codec of this.#codecs) [read] = await codec.decode(read === undefined ? [] : [read]);
      return read === undefined || keyIdOf(read) !== null ? NOTHING : read;
    } catch (error) {
      if (error instanceof ServerError && error.kind === 'encryption-key') return NOTHING;
      throw error;
    }
  }
}
