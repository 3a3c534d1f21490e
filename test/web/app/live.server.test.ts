/** A run that is watched in a browser while its worker is killed and it is resumed. */

import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { loadBundle } from '../../../src/web/bundle.ts';
import { Place } from '../../durability/place.ts';
import { Tauflow } from '../../durability/processes.ts';
import { ScriptedProcess } from '../../durability/scripted-process.ts';
import { describeWithBrowser } from '../../helpers/browser.ts';
import { startView } from '../viewed.ts';
import { expectText } from './open.ts';

/** A worker that was killed is missed only after a while. */
const PATIENCE = { timeout: 120_000, interval: 100 };
vi.setConfig({ testTimeout: 300_000 });

const AT_ONCE = 2;
const FLAGS = [
  ...['run', '--run-id', 'watched', '--task-ids', '0,1,2,3', '--max-concurrency', String(AT_ONCE)],
  ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.5', '--model-provider', 'scripted'],
  // The worker is missed sooner.
  ...['--heartbeat-timeout', '5s'],
];

describeWithBrowser('a run that goes on, in Chromium', (launch) => {
  let browser: Browser;
  let place: Place;

  beforeAll(async () => {
    [browser, place] = await Promise.all([launch(), Place.make()]);
  });

  afterAll(async () => {
    await browser.close();
    await place.clear();
  });

  test('shows episodes as they open, go on after a kill, and end', async () => {
    const model = await ScriptedProcess.start('watched', place.surroundings());
    const surroundings = place.surroundings(model.url);
    // The model withholds its replies, so that the run waits while the page is inspected.
    const standsStill = (run: Tauflow) => model.until(run, ({ held }) => held === AT_ONCE);
    await model.holdAfter(8);
    const first = Tauflow.start(FLAGS, surroundings);
    const resume = await first.resumeCommand();
    await standsStill(first);

    const { url } = await startView(join(place.folder, 'results'), { bundle: loadBundle });
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/#/run/watched`);
    await expectText(page, 'h1', 'watched');
    const listed = page.locator('.open-episodes li');
    await counts(listed, AT_ONCE);
    await counts(page.locator('.grid .cell.is-open'), AT_ONCE);
    await expectText(page, '.live .facts', '0 of 4 episodes ended');

    await listed.first().getByRole('link').click();
    await expectText(page, 'h1', 'Task 0, trial 0');
    const lines = page.locator('.live-conversation .step');
    const before = await counts(lines, 4);

    await first.kill();
    await model.holdAfter(8 + 2 * AT_ONCE + 4);
    const second = Tauflow.type(resume, surroundings);
    await expect.poll(() => lines.count(), PATIENCE).toBeGreaterThan(before);
    await standsStill(second);
    const called = await page.locator('.live-conversation .tool-name').allTextContents();

    await model.holdAfter(null);
    // It turns into the record, which has the episode's outcome.
    await expectText(page, '.badge', 'solved');
    await counts(page.locator('.live-conversation'), 0);
    expect(await second.ended, second.printed).toMatchObject({ code: 0 });

    await page.goto(`${url}/#/run/watched`);
    await counts(page.locator('.grid .cell:is(.is-good, .is-bad)'), 4);
    await counts(page.locator('.is-open'), 0);
    await counts(page.locator('.live'), 0);
    expect(complaints).toEqual([]);

    const answer = await fetch(`${url}/api/runs/watched/episodes/0/0.json`);
    const { steps } = (await answer.json()) as { readonly steps: readonly { readonly name: string }[] };
    const names = steps.map(({ name }) => name).filter((name) => name !== 'respond');
    expect(called).not.toEqual([]);
    expect(names.slice(0, called.length)).toEqual(called);
  });
});

/** Waits until there are as many, at least. */
async function counts(locator: Locator, count: number): Promise<number> {
  const isEnough = (found: number) => (count === 0 ? found === 0 : found >= count);
  await expect.poll(async () => isEnough(await locator.count()), PATIENCE).toBe(true);
  return locator.count();
}

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
