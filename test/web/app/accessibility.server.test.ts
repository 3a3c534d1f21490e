/** Whoever uses no mouse, or sees little contrast, can use the pages: axe's rules, and a walk by keyboard alone. */

import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeWithBrowser } from '../../helpers/browser.ts';
import { scratchFolder } from '../../results/fixtures.ts';
import { makeViewedRun } from '../viewed.ts';
import { expectText, openView, PATIENCE } from './open.ts';

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
