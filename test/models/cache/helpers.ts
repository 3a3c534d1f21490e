/** Requests, replies and folders for the tests of this room. */

import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CacheScope } from '../../../src/models/testing.ts';
import { CompletionStore, replySchema, type ModelRequest, type ModelReply } from '../../../src/models/index.ts';
import type { CompletionPlace } from '../../../src/models/cache/testing.ts';
import { atEndOfFile } from '../../helpers/end-of-file.ts';

/** A new folder, removed after the file's last test. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tauflow-cache-')));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const SCOPE: CacheScope = {
  configuration: '0123456789abcdef',
  episode: { taskId: 3, trial: 0 },
  call: 'agent 1',
};

/** A request that has nothing to do with the cache, and leaves out what it can. */
export const FRESH: ModelRequest = {
  provider: 'openai',
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello' },
  ],
  temperature: 0,
  seed: 11,
  idempotencyKey: 'run/agent/1',
};

export const REQUEST: ModelRequest = {
  ...FRESH,
  tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: { id: {} } } } }],
  format: 'text',
  cache: SCOPE,
};

export function replyWith(changes: Partial<ModelReply> = {}): ModelReply {
  return {
    message: { role: 'assistant', content: 'Hello.' },
    finishReason: 'stop',
    usage: { promptTokens: 1000, completionTokens: 100, cachedTokens: 400, reasoningTokens: 30 },
    usageReported: true,
    servedModel: 'gpt-4o-2024-08-06',
    fingerprint: 'fp_1',
    requestId: 'req_1',
    latencyMs: 900,
    ...changes,
  };
}

/** The place of the `n`th of any number of completions of one model. */
export function placeOf(n: number, changes: Partial<CompletionPlace['shelf']> = {}): CompletionPlace {
  return {
    shelf: { configuration: SCOPE.configuration, provider: 'openai', model: 'gpt-4o', ...changes },
    key: (n * 7).toString(16).padStart(2, '0').slice(-2) + n.toString(16).padStart(62, '0'),
  };
}

/** A store whose every trouble is a test's failure; its first look at the size comes after the first completion. */
export function storeIn(folder: string, maxBytes?: number): CompletionStore<ModelReply> {
  return new CompletionStore({
    schema: replySchema,
    folder,
    random: () => 0,
    warn: (message) => {
      throw new Error(message);
    },
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}

/** Every file below a folder, by path. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
