/** Schedules as a browser shows them, from the view's server. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { compareScheduledRun } from '../../../src/results/compare/index.ts';
import { runLogsOf } from '../../../src/results/store/index.ts';
import { loadBundle } from '../../../src/web/bundle.ts';
import { describeWithBrowser } from '../../helpers/browser.ts';
import { scratchFolder } from '../../results/fixtures.ts';
import { expectText, PATIENCE } from '../app/open-page.ts';
import { makeViewedRun, startView } from '../viewed.ts';

const nightly = (day: number) => `nightly-2025-02-0${day}T030000Z`;
const DARK_PHONE = { viewport: { width: 375, height: 800 }, colorScheme: 'dark' } as const;

/** Three runs of a schedule; the second is worse than the first, the third is going on. */
async function logFolder(): Promise<string> {
  const logDir = scratchFolder();
  for (const [day, reward] of [
    [1, 1],
    [2, 0],
  ] as const) {
    const runId = nightly(day);
    const episodes = Array.from({ length: 24 }, (_, at) => [at % 12, Math.floor(at / 12), { reward }] as const);
    const log = await makeViewedRun(logDir, runId, { episodes });
    const input = {
      run: { runId, logDir },
      schedule: 'nightly',
      end: 'completed',
      problem: null,
      planned: 24,
    } as const;
    await log.writeComparison(await compareScheduledRun(input, runLogsOf(logDir, null), () => undefined));
  }
  await makeViewedRun(logDir, nightly(3), { status: 'running' });
  return logDir;
}

describeWithBrowser('schedules in Chromium', (launch) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(async () => {
    await browser.close();
  });

  async function open(hash: string, options: Parameters<Browser['newPage']>[0] = {}) {
    const view = await startView(await logFolder(), { bundle: loadBundle });
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (line) => {
      if (line.type() === 'error') complaints.push(line.text());
    });
    await page.goto(`${view.url}/${hash}`);
    return { page, complaints };
  }

  const verdicts = (page: Page) => page.locator('.scheduled-runs .badge').allTextContents();

  test('are listed with their latest verdict, and each has a trend, its runs and their comparisons', async () => {
    const { page, complaints } = await open('#/');
    await page.getByRole('link', { name: 'Schedules' }).click();
    await expectText(page, '.schedules li', 'running');
    expect(await page.locator('.sparkline polyline').getAttribute('points')).toMatch(/^[\d.]+,[\d.]+ /);
    await page.getByRole('link', { name: 'nightly' }).click();
    await expectText(page, 'h1', 'nightly');
    await expectText(page, '.chart figcaption', '3 runs, 2025-02-01 to 2025-02-03');
    await expect.poll(() => verdicts(page), PATIENCE).toEqual(['… running', '▼ regression', '1 first run']);
    const plot = page.getByRole('img', { name: /1 regression/ });
    await expect.poll(() => plot.textContent(), PATIENCE).toContain('▼');

    await page.locator('.chart summary').first().focus();
    await page.keyboard.press('Enter');
    await expectText(page, '.chart tbody', '0.000');
    expect(await page.getByRole('link', { name: /^Compare/ }).getAttribute('href')).toBe(
      `#/compare/${nightly(1)}/${nightly(2)}`,
    );
    await page.getByRole('link', { name: '2025-02-02 03:00' }).click();
    await expectText(page, 'h1', nightly(2));
    await page.goBack();
    await expectText(page, 'h1', 'nightly');
    expect(complaints).toEqual([]);
  });

  test('fit a phone, in the dark', async () => {
    const { page, complaints } = await open('#/schedule/nightly', DARK_PHONE);
    await expect.poll(() => verdicts(page), PATIENCE).toHaveLength(3);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), PATIENCE).toBe(375);
    expect(complaints).toEqual([]);
  });

  test('say so when there is no schedule of a name', async () => {
    const { page } = await open('#/schedule/other');
    await expectText(page, '.empty', 'No run in this folder was started by a schedule of that name.');
  });
});
