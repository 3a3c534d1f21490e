import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DISPLAYS_PER_PROMPT, displaysFor } from '../../../src/models/prompts/index.ts';
import { fewShotsText } from '../../../src/models/prompts/testing.ts';
import { nameFewShotFile, PackError, readPack, shippedPackFolder, type Pack } from '../../../src/benchmarks/testing.ts';
import type { Task } from '../../../src/benchmarks/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'tauflow-few-shots-'));
let pack: Pack;
let task: Task;
beforeAll(async () => {
  const shipped = await readPack((await shippedPackFolder('retail')) ?? '');
  const first = shipped.splits['test']?.find(({ actions }) => actions.some(({ kwargs }) => kwargs.has('order_id')));
  if (first === undefined) throw new Error('the shipped pack has no task about an order');
  task = first;
  pack = { ...shipped, fewShotDisplays: Array.from({ length: 20 }, (_, index) => `user: display ${index}`) };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(displays: readonly string[], name = 'displays.jsonl') {
  const path = join(folder, name);
  writeFileSync(path, displays.map((display) => JSON.stringify({ messages_display: display })).join('\n'));
  return path;
}

describe('the examples of a few-shot prompt', () => {
  it('are five different displays, numbered from one', () => {
    const text = fewShotsText(pack, task, {}, 7);
    const shown = [...text.matchAll(/^Example (\d):\nuser: display (\d+)$/gm)];
    expect(shown.map(([, number]) => number)).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(shown.map(([, , display]) => display)).size).toBe(DISPLAYS_PER_PROMPT);
    expect(text.split('\n\n')).toHaveLength(DISPLAYS_PER_PROMPT);
  });

  it('depend on the episode’s seed only', () => {
    expect(fewShotsText(pack, task, {}, 7)).toBe(fewShotsText(pack, task, {}, 7));
    const seeds = Array.from({ length: 30 }, (_, seed) => fewShotsText(pack, task, {}, seed));
    expect(new Set(seeds).size).toBeGreaterThan(25);
  });

  it('come from the named file, as long as it is unchanged', () => {
    const path = fileOf(['a', 'b', 'c', 'd', 'e']);
    const file = nameFewShotFile(path);
    expect(displaysFor(pack, task, { file })).toEqual(['a', 'b', 'c', 'd', 'e']);
    const changed = nameFewShotFile(fileOf(['1', '2', '3', '4', '5', '6'], 'other.jsonl'));
    writeFileSync(join(folder, 'other.jsonl'), '{"messages_display": "x"}');
    expect(() => displaysFor(pack, task, { file: changed })).toThrow(/have changed since the run was started/);
  });

  it('can leave out those of the task’s own user and orders', () => {
    const order = task.actions.map(({ kwargs }) => kwargs.get('order_id')).find((id) => typeof id === 'string');
    const related = [`user: I am ${task.userId}`, `assistant: ${String(order)} is on its way`];
    const told = { ...pack, fewShotDisplays: [...related, ...(pack.fewShotDisplays ?? [])] };
    expect(displaysFor(told, task, {})).toHaveLength(22);
    expect(displaysFor(told, task, { leaveOut: true })).toEqual(pack.fewShotDisplays);
  });

  it('must be at least five', () => {
    const few = { ...pack, fewShotDisplays: ['a', 'b'] };
    expect(() => fewShotsText(few, task, {}, 1)).toThrow(PackError);
    const { fewShotDisplays, ...none } = pack;
    expect(fewShotDisplays).toBeDefined();
    expect(() => fewShotsText(none, task, {}, 1)).toThrow(/0 are left/);
  });
});
