import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { EncryptionCodec, readKeyId, readKeyRing } from '../../../src/temporal/codec/index.ts';

const newKey = () => randomBytes(32).toString('base64');
const codecOf = (value: string) => new EncryptionCodec(readKeyRing({ TAUFLOW_ENCRYPTION_KEY: value }));
const noKey = new EncryptionCodec([]);
const [first, second] = [newKey(), newKey()];

const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload as Payload);
const textOf = (payload: Payload | undefined) => Buffer.from(payload?.data ?? []).toString('latin1');

describe('encrypted payloads', () => {
  it('come back as they were, whatever they hold', async () => {
    const codec = codecOf(`a:${first}`);
    const values = fc.array(fc.oneof(fc.jsonValue(), fc.uint8Array(), fc.constant(undefined)), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(values, async (items) => {
        const payloads = items.map(payloadOf);
        const encrypted = await codec.encode(payloads);
        expect(encrypted.map(readKeyId)).toEqual(items.map(() => 'a'));
        const decrypted = await codec.decode(encrypted);
        expect(decrypted.map((payload) => Buffer.from(payload.data ?? []))).toEqual(
          payloads.map((payload) => Buffer.from(payload.data ?? [])),
        );
        expect(decrypted.map(valueOf)).toEqual(payloads.map(valueOf));
      }),
    );
  });

  it('have the form of the samples: encoding and key id in the metadata; initial vector, text and tag as the data', async () => {
    const plain = payloadOf('what was said');
    const [encrypted] = await codecOf(`2026:${first}`).encode([plain]);
    const metadata = Object.entries(encrypted?.metadata ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value).toString(),
    ]);
    expect(metadata).toEqual([
      ['encoding', 'binary/encrypted'],
      ['encryption-key-id', '2026'],
    ]);
    // The payload as protobuf, opened by another implementation than ours.
    const secret = await crypto.subtle.importKey('raw', Buffer.from(first, 'base64'), 'AES-GCM', false, ['decrypt']);
    const data = Buffer.from(encrypted?.data ?? []);
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: data.subarray(0, 12) },
      secret,
      data.subarray(12),
    );
    expect(Buffer.from(opened).toString('latin1')).toContain('"what was said"');
    expect(textOf(encrypted)).not.toContain('said');
  });

  it('are never the same twice', async () => {
    const encrypted = await codecOf(first).encode(Array.from({ length: 100 }, () => payloadOf('same')));
    expect(new Set(encrypted.map((payload) => textOf(payload).slice(0, 12))).size).toBe(100);
    expect(new Set(encrypted.map(textOf)).size).toBe(100);
  });

  it('may be as large as a payload can be', async () => {
    const text = 'é'.repeat(1_000_000);
    const codec = codecOf(first);
    const encrypted = await codec.encode([payloadOf(text)]);
    expect(encrypted[0]?.data?.length).toBeLessThan(2_000_200);
    expect(valueOf((await codec.decode(encrypted))[0])).toBe(text);
  });

  it('outlive the change of keys: the first encrypts, all decrypt', async () => {
    const before = await codecOf(`old:${first}`).encode([payloadOf('then')]);
    const both = codecOf(`new:${second},old:${first}`);
    const after = await both.encode([payloadOf('now')]);
    expect([before, after].flat().map(readKeyId)).toEqual(['old', 'new']);
    expect((await both.decode([...before, ...after])).map(valueOf)).toEqual(['then', 'now']);
  });

  it('are refused when a bit of them has changed', async () => {
    const codec = codecOf(`a:${first}`);
    const [encrypted] = await codec.encode([payloadOf({ some: 'text' })]);
    const length = encrypted?.data?.length ?? 0;
    const changed = { index: fc.nat({ max: length - 1 }), bit: fc.nat({ max: 7 }) };
    await fc.assert(
      fc.asyncProperty(fc.record(changed), async ({ index, bit }) => {
        const data = Buffer.from(encrypted?.data ?? []);
        data.writeUInt8(data.readUInt8(index) ^ (1 << bit), index);
        await expect(codec.decode([{ ...encrypted, data }])).rejects.toMatchObject({ kind: 'encryption-key' });
      }),
    );
    for (const data of [Buffer.alloc(0), Buffer.alloc(27), encrypted?.data?.subarray(1)]) {
      await expect(codec.decode([{ ...encrypted, data: data ?? null }])).rejects.toMatchObject({
        kind: 'encryption-key',
      });
    }
  });

  it('are refused in one sentence without their key, with another, and with another one of the same id', async () => {
    const encrypted = await codecOf(`a:${first}`).encode([payloadOf('secret')]);
    const refusal = async (codec: EncryptionCodec) =>
      codec.decode(encrypted).then(
        () => 'decrypted',
        (error: unknown) => (error as Error).message,
      );
    expect(await refusal(noKey)).toBe(
      'the texts of this workflow are encrypted with the key a and this process has no key; set TAUFLOW_ENCRYPTION_KEY to the key that it was started with',
    );
    expect(await refusal(codecOf(`b:${second}`))).toMatch(/key a and the keys of this process are: b; set TAUFLOW_/);
    expect(await refusal(codecOf(`a:${second}`))).toMatch(
      /key a cannot be decrypted .* correct TAUFLOW_ENCRYPTION_KEY$/,
    );
  });
});

describe('plain payloads', () => {
  it('stay as they are without a key, and are read with one as well', async () => {
    const plain = [payloadOf('plain')];
    expect(await noKey.encode(plain)).toBe(plain);
    expect(await noKey.decode(plain)).toEqual(plain);
    expect(await codecOf(first).decode(plain)).toEqual(plain);
  });
});
