/**
 * An object store with S3's API, through Amazon's client. The client is an optional package, loaded when a command
 * names an `s3://` address.
 */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { UnreachableError, UsageError } from '../../errors/index.ts';
import {
  PART_BYTES,
  type ListedObject,
  type ObjectHead,
  type ObjectStore,
  type StoredObject,
  type StreamOptions,
  type WriteCondition,
} from './object-store.ts';
import { isAbsent, isConditionFailed, isUploadGone, toStoreError, type StorePlace } from './s3-errors.ts';

/**
 * Most attempts of a request. An overloaded store answers 503 until it has scaled. The client's random waits of up to
 * 0.5, 1, 2, … 20 s add up to half a minute on average.
 */
const MAX_ATTEMPTS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** Time without data after which a connection is closed, in ms. */
const IDLE_TIMEOUT_MS = 60_000;
/** Most times that a broken download is continued. */
const MAX_RESUMES = 5;

/**
 * @param env environment, in which `AWS_ENDPOINT_URL_S3`, otherwise `AWS_ENDPOINT_URL`, names a compatible store;
 *   Amazon's client finds credentials and region in its usual places
 * @throws UsageError if the client is not installed
 */
export async function openObjectStore(
  bucket: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ObjectStore> {
  const sdk = await loadSdk();
  const endpoint = [env['AWS_ENDPOINT_URL_S3'], env['AWS_ENDPOINT_URL']].find((url) => url !== undefined && url !== '');
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint)) {
    throw new UsageError(`the address of the object store, ${endpoint}, must begin with https:// or http://.`);
  }
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? (endpoint === undefined ? undefined : 'us-east-1');
  const client = new sdk.S3Client({
    region,
    endpoint,
    // Compatible stores rarely have a host name for each bucket.
    forcePathStyle: endpoint !== undefined,
    followRegionRedirects: true,
    retryMode: 'standard',
    maxAttempts: MAX_ATTEMPTS,
    // The checksums that the client adds by default are refused by some compatible stores; Content-MD5 is not.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
  });
  return new S3Store(sdk, client, { bucket, endpoint });
}

async function loadSdk(): Promise<typeof Sdk> {
  // On Node 20 the client would print seven lines about its later versions with each command.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  try {
    return await import('@aws-sdk/client-s3');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('s3:// addresses need a package that is not installed: npm install @aws-sdk/client-s3', {
      cause: error,
    });
  }
}

class S3Store implements ObjectStore {
  readonly #sdk: typeof Sdk;
  readonly #client: Sdk.S3Client;
  readonly #place: StorePlace;

  constructor(sdk: typeof Sdk, client: Sdk.S3Client, place: StorePlace) {
    this.#sdk = sdk;
    this.#client = client;
    this.#place = place;
  }

  async *list(prefix: string): AsyncGenerator<readonly ListedObject[]> {
    for await (const { Contents = [] } of this.#pages({ Prefix: prefix })) {
      yield Contents.map(({ Key = '', Size = 0, ETag }) => ({ key: Key, size: Size, etag: unquoteEtag(ETag) }));
    }
  }

  async *listFolders(prefix: string): AsyncGenerator<readonly string[]> {
    for await (const { CommonPrefixes = [] } of this.#pages({ Prefix: prefix, Delimiter: '/' })) {
      yield CommonPrefixes.map(({ Prefix = '' }) => Prefix.replace(/\/$/, ''));
    }
  }

  async head(key: string): Promise<ObjectHead | null> {
    const { HeadObjectCommand } = this.#sdk;
    return this.#orNull(isAbsent, async () =>
      toHead(await this.#client.send(new HeadObjectCommand({ ...this.#bucket, Key: key }))),
    );
  }

  async get(key: string, etag?: string): Promise<StoredObject | null> {
    return this.#orNull(isConditionFailed, async () => {
      const answer = await this.#getFrom(key, 0, etag);
      const head = toHead(answer);
      return { ...head, pieces: this.#pieces(key, head, answer.Body as Readable) };
    });
  }

  async put(key: string, body: string | Uint8Array, condition: WriteCondition = 'none'): Promise<boolean> {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return this.#write(key, { sha256, condition }, () =>
      this.#client.send(
        new this.#sdk.PutObjectCommand({
          ...this.#bucket,
          ...toCondition(condition),
          Key: key,
          Body: bytes,
          ContentMD5: md5(bytes),
          Metadata: { sha256 },
        }),
      ),
    );
  }

  async putStream(key: string, pieces: AsyncIterable<Uint8Array>, options: StreamOptions): Promise<boolean> {
    const parts = inParts(pieces, PART_BYTES);
    const first = await parts.next();
    const second = await parts.next();
    if (second.done === true) return this.put(key, first.done === true ? '' : first.value, options.condition);
    const { CreateMultipartUploadCommand, CompleteMultipartUploadCommand, AbortMultipartUploadCommand } = this.#sdk;
    const object = { ...this.#bucket, Key: key };
    const { UploadId } = await this.#ask(() =>
      this.#client.send(new CreateMultipartUploadCommand({ ...object, Metadata: { sha256: options.sha256 } })),
    );
    const upload = { ...object, UploadId };
    try {
      const done = [await this.#uploadPart(upload, 1, first.value as Uint8Array)];
      done.push(await this.#uploadPart(upload, 2, second.value));
      for await (const part of parts) done.push(await this.#uploadPart(upload, done.length + 1, part));
      const completion = { ...upload, ...toCondition(options.condition), MultipartUpload: { Parts: done } };
      // Some compatible stores support conditions for simple writes only.
      const isAllowed = await this.#holds(key, options.condition);
      const complete = () => this.#client.send(new CompleteMultipartUploadCommand(completion));
      if (isAllowed && (await this.#write(key, options, complete))) return true;
    } catch (error) {
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
      throw error;
    }
    // Without this, the store would keep and charge the parts until a rule of the bucket removes them.
    await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    return false;
  }

  async delete(key: string): Promise<void> {
    await this.#ask(() => this.#client.send(new this.#sdk.DeleteObjectCommand({ ...this.#bucket, Key: key })));
  }

  get #bucket(): { readonly Bucket: string } {
    return { Bucket: this.#place.bucket };
  }

  async *#pages(listed: { Prefix: string; Delimiter?: string }): AsyncGenerator<Sdk.ListObjectsV2CommandOutput> {
    let token: string | undefined;
    do {
      const input = { ...this.#bucket, ...listed, ContinuationToken: token };
      const page = await this.#ask(() => this.#client.send(new this.#sdk.ListObjectsV2Command(input)));
      yield page;
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async #uploadPart(
    upload: { Bucket: string; Key: string; UploadId: string | undefined },
    number: number,
    bytes: Uint8Array,
  ): Promise<Sdk.CompletedPart> {
    const part = { ...upload, PartNumber: number, Body: bytes, ContentMD5: md5(bytes) };
    const { ETag } = await this.#ask(() => this.#client.send(new this.#sdk.UploadPartCommand(part)));
    return { PartNumber: number, ETag };
  }

  /** Makes a conditional write; see {@link WriteCondition} for answers that were lost. */
  async #write(
    key: string,
    { sha256, condition = 'none' }: StreamOptions,
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await send();
      return true;
    } catch (error) {
      const isGone = isUploadGone(error);
      if (!isGone && (condition === 'none' || !isConditionFailed(error))) throw toStoreError(error, this.#place);
      const isOurs = (await this.head(key))?.sha256 === sha256;
      if (isGone && !isOurs) throw toStoreError(error, this.#place);
      return isOurs;
    }
  }

  async #holds(key: string, condition: WriteCondition = 'none'): Promise<boolean> {
    if (condition === 'none') return true;
    const now = await this.head(key);
    return condition === 'absent' ? now === null : now?.etag === condition.etag;
  }

  async *#pieces(key: string, { etag, size }: ObjectHead, first: Readable): AsyncGenerator<Uint8Array> {
    let at = 0;
    let body = first;
    for (let resumes = 0; ; resumes += 1) {
      let broken: unknown;
      try {
        for await (const piece of body as AsyncIterable<Uint8Array>) {
          at += piece.length;
          yield piece;
        }
      } catch (error) {
        broken = error;
      }
      if (at === size) return;
      if (resumes === MAX_RESUMES) {
        throw new UnreachableError(`the connection breaks while ${key} is read; run the same command again.`, {
          cause: broken,
        });
      }
      const rest = await this.#orNull(isConditionFailed, () => this.#getFrom(key, at, etag));
      if (rest === null) throw new UsageError(`${key} has changed while it was read; run the same command again.`);
      body = rest.Body as Readable;
    }
  }

  #getFrom(key: string, from: number, etag: string | undefined): Promise<Sdk.GetObjectCommandOutput> {
    return this.#client.send(
      new this.#sdk.GetObjectCommand({
        ...this.#bucket,
        Key: key,
        IfMatch: etag === undefined ? undefined : `"${etag}"`,
        Range: from === 0 ? undefined : `bytes=${from}-`,
      }),
    );
  }

  async #ask<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw toStoreError(error, this.#place);
    }
  }

  async #orNull<T>(isNull: (error: unknown) => boolean, send: () => Promise<T>): Promise<T | null> {
    try {
      return await send();
    } catch (error) {
      if (isNull(error)) return null;
      throw toStoreError(error, this.#place);
    }
  }
}

function toCondition(condition: WriteCondition = 'none'): { IfNoneMatch?: string; IfMatch?: string } {
  if (condition === 'none') return {};
  return condition === 'absent' ? { IfNoneMatch: '*' } : { IfMatch: `"${condition.etag}"` };
}

function toHead(answer: Sdk.HeadObjectCommandOutput | Sdk.GetObjectCommandOutput): ObjectHead {
  const { ETag, ContentLength = 0, Metadata } = answer;
  return { etag: unquoteEtag(ETag), size: ContentLength, sha256: Metadata?.['sha256'] ?? null };
}

function unquoteEtag(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '');
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64');
}

/** Splits content into parts of exactly `size` bytes, except for the last. */
async function* inParts(pieces: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, undefined> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    for (let rest = piece; rest.length > 0;) {
      const taken = rest.subarray(0, size - bytes);
      waiting.push(taken);
      bytes += taken.length;
      rest = rest.subarray(taken.length);
      if (bytes < size) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting);
  return undefined;
}
