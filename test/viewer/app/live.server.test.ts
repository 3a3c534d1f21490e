/** The app in a browser: a run under way, and what a person without a mouse or colours meets. */

import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadBundle } from '../../../src/viewer/testing.ts';
import { Place } from '../../durability/place.ts';
import { Tauflow } from '../../durability/processes.ts';
import { ScriptedProcess } from '../../durability/scripted-process.ts';
import { describeWithBrowser } from '../../helpers/browser.ts';
import { scratchFolder } from '../../results/fixtures.ts';
import { makeViewedRun, startView } from '../viewed.ts';
import { expectText, openView, PATIENCE } from './open.ts';

/** A worker that was killed is missed only after a while. */
const LONG_PATIENCE = { timeout: 120_000, interval: 100 };
vi.setConfig({ testTimeout: 300_000 });

const AT_ONCE = 2;
const FLAGS = [
  ...['run', '--run-id', 'watched', '--task-ids', '0,1,2,3', '--max-concurrency', String(AT_ONCE)],
  ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.5', '--model-provider', 'scripted'],
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
    await expect.poll(() => lines.count(), LONG_PATIENCE).toBeGreaterThan(before);
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
  await expect.poll(async () => isEnough(await locator.count()), LONG_PATIENCE).toBe(true);
  return locator.count();
}

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

/** Whoever uses no mouse, or sees little contrast, can use the pages: axe's rules, and a walk by keyboard alone. */
describe('accessibility', () => {
  /** Address, heading, and what is drawn last. */
  const PAGES = [
    ['#/', 'Runs', '.runs a.run-name'],
    ['#/run/run-a', 'run-a', '.grid a.cell'],
    ['#/run/running', 'running', '.live'],
    ['#/task/run-a/7', 'Task 7', '.trial-column'],
    ['#/episode/run-a/7/1', 'Task 7, trial 1', '.conversation'],
    ['#/compare/run-a/run-b', 'Comparison', '.comparison'],
    ['#/schedules', 'Schedules', 'main'],
  ] as const;

  describeWithBrowser('the app for everybody', (launch) => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launch();
    });

    afterAll(async () => {
      await browser.close();
    });

    test.each([
      { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
      { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
    ] as const)('breaks none of the rules of WCAG 2.2 AA that axe knows: $colorScheme', async (options) => {
      const { page, url } = await openView(browser, await folderOfRuns(), '', options);
      const broken: string[] = [];
      for (const [hash, title, last] of PAGES) {
        await page.goto(`${url}/${hash}`);
        await expectText(page, 'h1', title);
        await page.locator(last).first().waitFor(PATIENCE);
        broken.push(...(await violations(page)).map((violation) => `${hash} ${violation}`));
      }
      expect(broken).toEqual([]);
    });

    test('leads by keyboard alone from the list to a note on a step, and to a comparison', async () => {
      const { page, complaints } = await openView(browser, await folderOfRuns());
      await page.locator('.runs a.run-name').first().waitFor(PATIENCE);
      await tabTo(page, 'run-a');
      await page.keyboard.press('Enter');
      await expectText(page, 'h1', 'run-a');
      await tabTo(page, 'task 7, trial 1: not solved');
      await page.keyboard.press('Enter');
      await expectText(page, 'h1', 'Task 7, trial 1');
      await page.keyboard.press('n');
      await tabTo(page, 'Text of the note');
      await page.keyboard.type('Written without a mouse.');
      await tabTo(page, 'Save');
      await page.keyboard.press('Enter');
      await page.getByText('Saved', { exact: true }).waitFor(PATIENCE);
      await page.keyboard.press('u');
      await expectText(page, 'h1', 'run-a');
      await page.keyboard.press('u');
      await page.locator('.runs a.run-name').first().waitFor(PATIENCE);
      for (const run of ['run-a', 'run-b']) {
        await tabTo(page, `Compare ${run}`);
        await page.keyboard.press('Space');
      }
      await tabTo(page, 'Compare', { isWhole: true });
      await page.keyboard.press('Enter');
      await expectText(page, 'h1', 'Comparison');
      expect(complaints).toEqual([]);
    });
  });

  /** One line a rule and element, as axe words it. */
  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    const { violations: found } = await page.evaluate<axe.AxeResults>(
      "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
    );
    return found.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`));
  }

  /** Presses Tab until the focus is on what has this name, and fails where it is never reached or not seen. */
  async function tabTo(page: Page, name: string, { isWhole = false } = {}): Promise<void> {
    const passed: string[] = [];
    for (let press = 0; press < 120; press++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate<{ name: string; isMarked: boolean }>(FOCUS);
      passed.push(focus.name);
      if (isWhole ? focus.name !== name : !focus.name.startsWith(name)) continue;
      expect(focus.isMarked, `${name} has no visible focus`).toBe(true);
      return;
    }
    throw new Error(`Tab does not reach ${name}, only ${[...new Set(passed)].join(' | ')}`);
  }

  /** Name of the focused element, and whether an outline or a shadow marks it. */
  const FOCUS = `(() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const label = element.labels?.[0]?.textContent;
  return {
    name: (element.getAttribute('aria-label') ?? label ?? element.textContent).trim(),
    isMarked: (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none',
  };
})()`;

  async function folderOfRuns(): Promise<string> {
    const logDir = scratchFolder();
    await makeViewedRun(logDir, 'run-a', { startedAt: '2025-01-02T00:00:00.000Z' });
    await makeViewedRun(logDir, 'run-b');
    await makeViewedRun(logDir, 'running', { status: 'running', startedAt: '2024-12-31T00:00:00.000Z' });
    return logDir;
  }
});
