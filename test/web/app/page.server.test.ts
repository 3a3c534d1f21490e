/** The report page as a browser shows it, from a file. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeWithBrowser } from '../../helpers/browser.ts';
import { MESSAGES, scratchFolder } from '../../results/fixtures.ts';
import { ANALYSIS, FAILED, logOf, pageOf } from '../report/pages.ts';
import { expectText, openPage, PATIENCE } from './open-page.ts';

const HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">';

describeWithBrowser('the page in Chromium', (launch) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(async () => {
    await browser.close();
  });

  test('shows a run, follows links, narrows down, and does nothing but that', async () => {
    const { page, complaints } = await openPage(browser, await fileOfTwoRuns(), '#/run/0');
    await expectText(page, 'h1', 'run-1');
    await expectText(page, '.tile-value', '0.500');
    await expectText(page, '.tile', 'wrong_argument ×1');
    await page.locator('.worst-tasks').getByRole('link', { name: '5' }).click();
    await expectText(page, 'h1', 'Task 5');
    await page.goBack();
    await expect.poll(() => page.locator('.grid a.cell').count(), PATIENCE).toBe(4);

    await page.locator('#search').fill('5/1');
    await page.waitForFunction("location.hash.includes('q=5')");
    await expect.poll(() => page.locator('.grid a.cell:not(.is-faint)').count(), PATIENCE).toBe(1);
    await page.locator('#search').fill('grandmother');
    await expectText(page, '.shown', '0 of 4 episodes');
    await page.getByLabel('in conversations too').check();
    await expectText(page, '.shown', '1 of 4 episodes');

    await page.getByRole('button', { name: 'show all' }).click();
    await page.getByRole('link', { name: /^task 5, trial 0: not solved; suspect user/ }).click();
    await expectText(page, 'h1', 'Task 5, trial 0');
    await expectText(page, '#step-1 .finding', 'the right tool was called with a wrong argument');
    await expectText(page, '#step-1 .expected-given .is-good .text-block', '131.0');
    await expectText(page, '#step-1 .differences', '130.0');
    await expectText(page, '#step-2 .finding', 'names an id that it cannot know');

    await page.keyboard.press('n');
    await expect.poll(() => page.evaluate('location.hash'), PATIENCE).toBe('#/episode/0/5/0/step-1');
    await page.keyboard.press('j');
    await expectText(page, 'h1', 'Task 3, trial 1');
    await page.goBack();
    await expectText(page, 'h1', 'Task 5, trial 0');
    await page.keyboard.press('t');
    await expect.poll(() => page.locator('.trial-column').count(), PATIENCE).toBe(2);
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.waitForFunction("location.hash === '#/compare'");
    expect(complaints).toEqual([]);
  });

  test('opens at the step that its address names, in the dark, on a phone', async () => {
    const { page, complaints } = await openPage(browser, await fileOfTwoRuns(), '#/episode/0/5/1/step-2', {
      viewport: { width: 375, height: 700 },
      colorScheme: 'dark',
    });
    await expectText(page, '.step.is-current .by-agent', HOSTILE);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), PATIENCE).toBe(375);
    await expect
      .poll(
        () => page.evaluate('getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((n) => n < 40)'),
        PATIENCE,
      )
      .toBe(true);
    await page.getByRole('button', { name: 'Show the page light' }).click();
    await expect
      .poll(
        () => page.evaluate('getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((n) => n > 230)'),
        PATIENCE,
      )
      .toBe(true);
    await page.goto(page.url().replace(/#.*/, '#/run/0'));
    await expectText(page, 'h1', 'run-1');
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), PATIENCE).toBe(375);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });
});

async function fileOfTwoRuns(): Promise<string> {
  const failed = { input: FAILED, context: { analyze: () => ANALYSIS } };
  const hostile = MESSAGES.map((message) =>
    message.role === 'assistant' && message.tool_calls === undefined
      ? { ...message, content: `${HOSTILE} for your grandmother` }
      : message,
  );
  const first = await logOf([
    { taskId: 3, trial: 0 },
    { taskId: 3, trial: 1 },
    { taskId: 5, trial: 0, ...failed },
    { taskId: 5, trial: 1, input: FAILED, context: { messages: hostile } },
  ]);
  const second = await logOf(
    [
      { taskId: 3, trial: 0, ...failed },
      { taskId: 5, trial: 0 },
    ],
    'run-2',
  );
  const file = path.join(scratchFolder(), 'report.html');
  writeFileSync(file, await pageOf([first, second], { comparison: ['no difference shown'] }));
  return file;
}
