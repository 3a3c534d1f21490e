/** The domain of docs/internals/new-domain.md, added as that page says: a folder, a pack, and one line in the registry. */

import { cp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toolCalling } from '../../src/agents/testing.ts';
import { applyAction, foldActions, openOverlay, grade } from '../../src/benchmarks/index.ts';
import { inspectPack, verifyPack, readPack, type Pack } from '../../src/benchmarks/testing.ts';
import { askResponder, playEpisode } from '../scripted-model/episodes.ts';
import { newResponder } from '../scripted-model/helpers.ts';
import { rejection, scratchFolder } from './packs/folders.ts';
import { action, createHasher } from './helpers.ts';

/** The line in the registry. */
vi.mock(import('../../src/benchmarks/tau-bench/domains.ts'), async (importOriginal) => {
  const original = await importOriginal();
  const { library } = await import('../fixtures/new-domain/library/index.ts');
  return { ...original, domains: new Map([...original.domains, ['library', library]]) };
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixture = join(root, 'test/fixtures/new-domain');

/** A pack's folder: what is the domain's own, and the prompts of the shipped shop. */
async function writeLibrary(): Promise<string> {
  const folder = join(await scratchFolder(), 'city-library');
  await cp(join(fixture, 'pack'), folder, { recursive: true });
  for (const prompts of ['user-prompts.json', 'agent-prompts.json']) {
    await cp(join(root, 'data/retail', prompts), join(folder, prompts));
  }
  return folder;
}

describe('A domain that was just added', () => {
  let folder: string;
  let pack: Pack;

  beforeEach(async () => {
    folder = await writeLibrary();
    pack = await readPack(folder);
  });

  it('is recognized by its tables, and its pack is valid', async () => {
    expect(pack).toMatchObject({ domain: 'library', ref: { name: 'city-library' } });
    const { problems } = await verifyPack(folder);
    expect({ problems, ...inspectPack(folder, pack) }).toMatchObject({
      problems: [],
      warnings: [],
      summary: {
        records: { books: 2, users: 2 },
        splits: [{ split: 'test', tasks: 2, withErrors: [], doNothing: [] }],
      },
    });
  });

  it('has its records checked', async () => {
    const broken = pack.tables.get('users');
    expect(broken).toBeDefined();
    await cp(join(fixture, 'pack/books.json'), join(folder, 'users.json'));
    expect(await rejection(readPack(folder))).toContain('users.json: B1.name is missing; it must be a string');
  });

  it('has Python’s texts, and changes its data', () => {
    const state = openOverlay(pack);
    const observe = (name: string, kwargs: string) => applyAction(pack, state, action(name, kwargs)).observation;
    expect(observe('lend_book', '{"user_id": "odd_2", "book_id": "B1"}')).toBe('Error: book is lent');
    expect(observe('lend_book', '{"user_id": "odd_2"}')).toBe(
      "Error: LendBook.invoke() missing 1 required positional argument: 'book_id'",
    );
    expect(observe('lend_book', '{"user_id": "odd_2", "book_id": "B2"}')).toBe(
      '{"book_id": "B2", "title": "Walden", "lent_to": "odd_2"}',
    );
    expect(observe('get_member', '{"user_id": "odd_2"}')).toBe('{"name": "Odd Berg", "fine": 0, "books": ["B2"]}');
  });

  it('is played by an agent and graded', async () => {
    const responder = newResponder(pack);
    const tasks = pack.splits['test'] ?? [];
    for (const [taskId, task] of tasks.entries()) {
      const { actions, end } = await playEpisode({
        pack,
        split: 'test',
        taskId,
        seed: 1,
        strategy: toolCalling,
        ask: askResponder(responder),
      });
      expect(end).not.toBe('error');
      expect(grade(pack, task, actions, { hash: createHasher(pack) })).toMatchObject({
        kind: 'graded',
        grade: { reward: 1 },
      });
      expect(grade(pack, task, [], { hash: createHasher(pack) })).toMatchObject({ grade: { reward: 0 } });
      expect(foldActions(pack, actions).written('books').size).toBe(taskId === 0 ? 1 : 0);
    }
    expect(tasks).toHaveLength(2);
  });

  it('is the one that the page shows, file by file', async () => {
    const page = await readFile(join(root, 'docs/internals/new-domain.md'), 'utf8');
    for (const file of await readdir(join(fixture, 'library'))) {
      const code = await readFile(join(fixture, 'library', file), 'utf8');
      expect(page).toContain(
        code
          .replaceAll('../../../../src/benchmarks/tau-bench/', '../')
          .replaceAll('../../../../src/benchmarks/', '../../'),
      );
    }
    for (const file of await readdir(join(fixture, 'pack'))) {
      expect(page).toContain(`\`city-library/${file}\``);
      expect(page).toContain(await readFile(join(fixture, 'pack', file), 'utf8'));
    }
  });
});
