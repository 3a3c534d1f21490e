import { describe, expect, it } from 'vitest';
import { innermostReason } from '../../src/io/testing.ts';
import { cpuMs } from '../helpers/linear.ts';

const REASON = 'There is no such model.';
const body = { error: { message: REASON, type: 'invalid_request_error', param: null, code: 'not_found' } };

describe('the reason of an error that was passed on', () => {
  it.each([
    ["the provider's own", JSON.stringify(body)],
    ["Anthropic's", JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: REASON } })],
    ["the text of an SDK's error", JSON.stringify({ error: `404 ${JSON.stringify(body)}` })],
    ["a framework's detail", JSON.stringify({ detail: { error: REASON } })],
    [
      "a Python SDK's text",
      JSON.stringify({ error: `Error code: 404 - {'error': {'message': '${REASON}', 'type': 'x', 'param': None}}` }),
    ],
    ['several times wrapped', JSON.stringify({ error: JSON.stringify({ error: JSON.stringify(body) }) })],
  ])('is found in %s', (_, text) => {
    expect(innermostReason(text)).toBe(REASON);
  });

  it.each(['', 'plain', '{"ok": true}', '{"error": "busy"}', '{"error": ', '[1]', '{"error": {"code": 1}}'])(
    'is the text itself: %s',
    (text) => {
      expect(innermostReason(text)).toBe(text);
    },
  );

  it('is found in bounded time in what is written to take long', async () => {
    const text = `{"error": ${"'message': \"\\\\".repeat(2_000)}`;
    expect(await cpuMs(() => innermostReason(text))).toBeLessThan(1_000);
  });
});
