/** A judge in a real process that is killed in the middle: the same command goes on where it was. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { tally } from './calls.ts';
import { Place } from './place.ts';
import { Tauflow } from './processes.ts';
import { ScriptedProcess } from './scripted-process.ts';

/** Generous: a shared machine slows processes down, and a test that hangs says where by its own waits. */
vi.setConfig({ testTimeout: 300_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

it('a judge that is killed loses no verdict, and pays again only what was under way', async ({ annotate }) => {
  const model = await ScriptedProcess.start('judged', place.surroundings());
  const surroundings = place.surroundings(model.url);
  const flags = ['--model', 'oracle:0', '--model-provider', 'scripted', '--end-index', '8', '--max-concurrency', '8'];
  const run = Tauflow.start(['run', '--run-id', 'judged', ...flags], surroundings);
  expect(await run.ended, run.printed).toMatchObject({ code: 0 });
  const played = (await model.calls()).length;

  // Two episodes at a time, two questions each: three are judged when the fourth and fifth wait for an answer.
  await model.holdAfter(played + 7);
  const judge = ['errors', 'judged', '--max-concurrency', '2'];
  const first = Tauflow.start(judge, surroundings);
  await model.until(first, ({ held }) => held === 2);
  await first.kill();
  const underWay = (await model.calls()).slice(-2).map(({ digest }) => digest);
  await model.holdAfter(null);
  const second = Tauflow.start(judge, surroundings);
  expect(await second.ended, second.printed).toMatchObject({ code: 0 });

  const calls = (await model.calls()).slice(played);
  const again = [...tally(calls)].filter(([, count]) => count > 1).map(([digest]) => digest);
  await annotate(`${calls.length} calls of the judge, ${again.length} paid again after one kill`);
  expect(tally(calls).size).toBe(16);
  expect(underWay).toEqual(expect.arrayContaining(again));
  const text = await readFile(join(place.folder, 'results', 'judged', 'errors.json'), 'utf8');
  const document = JSON.parse(text) as { fault_assignment_analysis: { task_id: number }[]; judge: { calls: number } };
  expect(document.fault_assignment_analysis.map(({ task_id: id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(document.judge.calls).toBe(16);
  await model.end();
});
