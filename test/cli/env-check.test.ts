/** `tauflow env check` without a service. */

import { describe, expect, it } from 'vitest';
import { tauflow } from './in-process.ts';

describe('tauflow env check', () => {
  it.each([
    [['http://127.0.0.1:1'], 3, 'start the service, or check its URL'],
    [['127.0.0.1'], 2, 'is no URL of an environment service'],
    [['http://127.0.0.1:1', '--env-options', '[]'], 2, '--env-options [] is no JSON object'],
  ])('%j exits with %i', async (words, code, problem) => {
    const ended = await tauflow(['env', 'check', ...words]);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(problem);
  });
});
