/** The app of `tauflow view` as a browser shows it, over a server and a log folder. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { viewBundle } from '../../src/results/page/viewer-bundle.ts';
import { describeWithBrowser } from '../helpers/browser.ts';
import { scratchFolder } from '../results/fixtures.ts';
import { makeViewedRun, startView } from '../view/viewed.ts';
import { expectText, PATIENCE, type OpenedPage, type PageOptions } from './open-page.ts';

describeWithBrowser('the app in Chromium', (launch) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(async () => {
    await browser.close();
  });

  test('leads from the list to a run, an episode and a step, and back', async () => {
    const { page, complaints } = await openApp(browser, await folderOfRuns());
    await expectText(page, '.log-dir', '/');
    await page.getByRole('link', { name: 'run-a', exact: true }).click();
    await expectText(page, 'h1', 'run-a');
    await expectText(page, '.tile-value', '0.750');
    await page.getByRole('link', { name: /^task 7, trial 1: not solved/ }).click();
    await expectText(page, 'h1', 'Task 7, trial 1');
    await page.keyboard.press('n');
    await expect.poll(() => hashOf(page), PATIENCE).toBe('#/episode/run-a/7/1/step-1');
    expect(await page.title()).toBe('task 7, trial 1 · run-a · Tauflow');
    await page.keyboard.press('u');
    await expectText(page, 'h1', 'run-a');
    await page.keyboard.press('u');
    await expect.poll(() => hashOf(page), PATIENCE).toBe('#/');
    expect(complaints).toEqual([]);
  });
});

/** Two runs of two tasks with two trials each; of the first, an episode is not solved. */
async function folderOfRuns(): Promise<string> {
  const logDir = scratchFolder();
  await makeViewedRun(logDir, 'run-a', { startedAt: '2025-01-02T00:00:00.000Z' });
  await makeViewedRun(logDir, 'run-b', {
    episodes: [
      [0, 0],
      [0, 1],
      [7, 0],
      [7, 1],
    ],
  });
  return logDir;
}

async function openApp(
  browser: Browser,
  logDir: string,
  hash = '',
  options: PageOptions = {},
): Promise<OpenedPage & { readonly url: string }> {
  const { url } = await startView(logDir, { bundle: viewBundle });
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`${url}/${hash}`);
  return { page, complaints, url };
}

function hashOf(page: Page): Promise<unknown> {
  return page.evaluate('location.hash');
}
