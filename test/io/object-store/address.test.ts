import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';

import { parseS3Address, openObjectStore } from '../../../src/io/index.ts';
import { isConditionFailed, toStoreError } from '../../../src/io/testing.ts';
import { UnreachableError, UsageError } from '../../../src/errors/index.ts';

describe('an s3:// address', () => {
  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '' }],
    ['s3://bucket/', { bucket: 'bucket', prefix: '' }],
    ['s3://bucket/team/runs', { bucket: 'bucket', prefix: 'team/runs/' }],
    ['S3://bucket/team/runs/', { bucket: 'bucket', prefix: 'team/runs/' }],
  ])('%s is a bucket and a prefix that ends with a slash', (text, address) => {
    expect(parseS3Address(text)).toEqual(address);
  });

  it.each(['results', './s3', 'https://bucket/runs'])('%s is none', (text) => {
    expect(parseS3Address(text)).toBeNull();
  });

  it.each(['s3://', 's3:///runs', 's3://bucket/../x', 's3://bucket//runs', 's3://bu cket/runs'])(
    '%s is refused in one sentence',
    (text) => {
      expect(() => parseS3Address(text)).toThrow(UsageError);
    },
  );
});

/** An error as the client throws it. */
function answered(name: string, httpStatusCode: number): Error {
  return Object.assign(new Error('said the store'), { name, $metadata: { httpStatusCode } });
}

describe('an error of the store', () => {
  const place = { bucket: 'runs', endpoint: 'http://127.0.0.1:9' };
  const sentence = (error: unknown) => (toStoreError(error, place) as Error).message;

  it('is bad input where a person can correct it', () => {
    expect(toStoreError(answered('NoSuchBucket', 404), place)).toBeInstanceOf(UsageError);
    expect(sentence(answered('NoSuchBucket', 404))).toMatch(/there is no bucket runs at http:\/\/127/);
    expect(sentence(answered('AccessDenied', 403))).toMatch(/denies access to bucket runs \(AccessDenied\)/);
    expect(sentence(Object.assign(new Error('-'), { name: 'CredentialsProviderError' }))).toMatch(/AWS_ACCESS_KEY_ID/);
    expect(sentence(new Error('Region is missing'))).toMatch(/set AWS_REGION/);
    expect(sentence(answered('KeyTooLongError', 400))).toMatch(/KeyTooLongError: said the store/);
  });

  it('means that the store is away if it does not answer, or only with 5xx', () => {
    expect(toStoreError(answered('SlowDown', 503), place)).toBeInstanceOf(UnreachableError);
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(toStoreError(refused, place)).toBeInstanceOf(UnreachableError);
  });

  it.each([501, 405])('names what a store lacks that answers %i, and is no outage', (status) => {
    const error = toStoreError(answered('NotImplemented', status), place);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(/\(NotImplemented: said the store\); .*If-None-Match/);
  });

  it('stays what it is if it is a defect', () => {
    const defect = new TypeError('x is not a function');
    expect(toStoreError(defect, place)).toBe(defect);
  });

  it('is a condition that does not hold, unless the bucket is not there', () => {
    expect([409, 412, 404].map((status) => isConditionFailed(answered('X', status)))).toEqual([true, true, true]);
    expect(isConditionFailed(answered('NoSuchBucket', 404))).toBe(false);
    expect(isConditionFailed(answered('SlowDown', 503))).toBe(false);
  });
});

it('a store without conditional writes refuses the first of them at once, and nothing is tried again', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${String(request.method)} ${String(request.headers['if-none-match'])}`);
    request.resume();
    response.writeHead(501, { 'content-type': 'application/xml' });
    response.end(
      '<?xml version="1.0"?><Error><Code>NotImplemented</Code>' +
        '<Message>A header you provided implies functionality that is not implemented</Message></Error>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  process.env['AWS_ACCESS_KEY_ID'] ??= 'x';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'x';
  try {
    const store = await openObjectStore('runs', { AWS_ENDPOINT_URL_S3: endpoint });
    await expect(store.put('run.json', '{}', 'absent')).rejects.toThrow(
      /NotImplemented: A header you provided implies functionality that is not implemented/,
    );
    expect(asked).toEqual(['PUT *']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
