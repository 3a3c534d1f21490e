/** A sweep that somebody terminates on the server: what its run says, and what is paid again when it is resumed. */

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Place } from './place.ts';
import { clientOf } from './fleet.ts';
import { Tauflow } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

const AT_ONCE = 3;
const FLAGS = [
  ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.8', '--model-provider', 'scripted'],
  ...['--start-index', '0', '--end-index', '6', '--num-trials', '1', '--max-concurrency', String(AT_ONCE)],
];

async function printed(words: readonly string[]): Promise<string> {
  const command = Tauflow.start(words, place.surroundings());
  await command.ended;
  return command.printed;
}

it('is shown as terminated, and pays again what its open episodes had paid, as it says first', async () => {
  const model = await ScriptedProcess.start('terminated', place.surroundings());
  const surroundings = place.surroundings(model.url);
  const calm = Tauflow.start(['run', '--run-id', 'calm', ...FLAGS], surroundings);
  expect(await calm.ended, calm.printed).toMatchObject({ code: 0 });
  const wanted = (await model.calls()).length;

  await model.holdAfter(wanted + Math.floor(wanted / 2));
  const first = Tauflow.start(['run', '--run-id', 'ended', ...FLAGS], surroundings);
  await model.until(first, ({ held }) => held === AT_ONCE);
  const { connection, workflow } = await clientOf(place);
  await workflow.getHandle('ended').terminate('test');
  expect(await first.ended, first.printed).toMatchObject({ code: 3 });
  expect(first.printed).toContain('finished episodes are recorded, open ones begin again');

  const resume = 'npx tauflow run --run-id ended';
  const stopped = `its sweep was terminated on the server; continue with: ${resume}`;
  expect(await printed(['status', 'ended'])).toMatch(/^status +terminated$/m);
  expect(await printed(['status', 'ended'])).toContain(stopped);
  await vi.waitFor(async () => expect(await printed(['list'])).toMatch(/ended\W+terminated/), {
    timeout: 20_000,
    interval: 1_000,
  });
  expect(await printed(['list'])).toContain(`ended: ${stopped}`);

  await model.holdAfter(null);
  const second = Tauflow.type(resume, surroundings);
  expect(await second.ended, second.printed).toMatchObject({ code: 0 });
  const [, announced] =
    /resumed +\d+ episodes? without .* again: (\d+) calls? .* are paid again/.exec(second.printed) ?? [];
  // The calls that were in progress are paid again as well.
  const again = (await model.calls()).length - 2 * wanted;
  expect(again - Number(announced), second.printed).toBeGreaterThanOrEqual(0);
  expect(again - Number(announced), second.printed).toBeLessThanOrEqual(AT_ONCE);
  expect((await readRunData(place.folder, 'ended')).results).toBe((await readRunData(place.folder, 'calm')).results);
  await connection.close();
  await model.end();
});
