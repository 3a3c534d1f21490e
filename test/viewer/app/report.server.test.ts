/** The report page as a browser shows it from a file: its views, charts and comparison. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeWithBrowser } from '../../helpers/browser.ts';
import { MESSAGES, scratchFolder, usage } from '../../results/fixtures.ts';
import { ANALYSIS, FAILED, logOf, pageOf } from '../report/pages.ts';
import { expectText, openReport, PATIENCE } from './open.ts';

const HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">';
const TASKS = 12;

describeWithBrowser('the report in Chromium', (launch) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(async () => {
    await browser.close();
  });

  test('shows a run, follows links, narrows down, and does nothing but that', async () => {
    const { page, complaints } = await openReport(browser, await fileOfTwoRuns(), '#/run/0');
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
    const { page, complaints } = await openReport(browser, await fileOfTwoRuns(), '#/episode/0/5/1/step-2', {
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

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 375]) {
      test(`all is drawn, legible and whole: ${colorScheme}, ${String(width)} pixels wide`, async () => {
        const file = await fileOfManyTasks();
        for (const [hash, drawings] of [
          ['#/run/0', 7],
          ['#/compare', 3],
        ] as const) {
          const options = { colorScheme, viewport: { width, height: 900 } };
          const { page, complaints } = await openReport(browser, file, hash, options);
          await page.locator('figure.chart svg[role=img]').first().waitFor();
          await expect
            .poll(() => page.locator('figure.chart svg[role=img][aria-label]').count(), PATIENCE)
            .toBe(drawings);
          await expect.poll(() => page.locator('figure.chart:not(:has(h3))').count(), PATIENCE).toBe(0);
          await expect.poll(() => cutTexts(page), PATIENCE).toEqual([]);
          await expect.poll(() => overlappingTicks(page), PATIENCE).toEqual([]);
          await expect.poll(() => lowestContrast(page), PATIENCE).toBeGreaterThan(4.5);
          await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), PATIENCE).toBe(width);
          expect(complaints).toEqual([]);
        }
      });
    }
  }

  test('a run with conditions has a chart of their differences, with its figures', async () => {
    const episodes = Array.from({ length: TASKS }, (_, taskId) => [
      { taskId, trial: 0 },
      { taskId, trial: 0, condition: 'tool-errors', input: FAILED },
      { taskId, trial: 0, condition: 'slow-tools' },
    ]);
    const file = path.join(scratchFolder(), 'report.html');
    writeFileSync(file, await pageOf([await logOf(episodes.flat())]));
    const { page, complaints } = await openReport(browser, file, '#/run/0', { viewport: { width: 375, height: 900 } });
    const chart = page.locator('figure.chart', { hasText: 'Conditions: difference to base' });
    await chart.getByText('Lower the score: tool-errors (paired').waitFor(PATIENCE);
    await expect.poll(() => chart.locator('svg[role=img] circle').count(), PATIENCE).toBe(2);
    await expect
      .poll(() => chart.locator('tbody tr').allTextContents(), PATIENCE)
      .toEqual([expect.stringMatching(/^tool-errors0\.000−1\.000/), expect.stringMatching(/^slow-tools1\.0000\.000/)]);
    await expect.poll(() => cutTexts(page), PATIENCE).toEqual([]);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), PATIENCE).toBe(375);
    await expectText(page, '.tile-value', '1.000');
    expect(complaints).toEqual([]);
  });

  test('a chart follows the width of the page, and its points and figures lead to episodes', async () => {
    const { page, complaints } = await openReport(browser, await fileOfManyTasks(), '#/run/0', {
      viewport: { width: 1280, height: 900 },
    });
    const stability = page.locator('figure.chart', { hasText: 'Stability of tasks' });
    const widthOf = async () => (await stability.locator('svg[role=img]').boundingBox())?.width ?? 0;
    const before = await widthOf();
    await page.setViewportSize({ width: 500, height: 900 });
    await expect.poll(widthOf, PATIENCE).toBeLessThan(before);

    await stability.getByText('Figures').click();
    await expect.poll(() => stability.locator('tbody tr').count(), PATIENCE).toBe(TASKS);
    await stability.getByRole('button', { name: 'task 3', exact: true }).click();
    await expectText(page, 'h1', 'Task 3, trial 1');

    await page.goBack();
    const drawing = stability.locator('svg[role=img]');
    const box = await drawing.boundingBox();
    if (box === null) throw new Error('the chart is not drawn');
    await drawing.hover({ position: { x: box.width - 24, y: box.height / 2 } });
    await expectText(page, '.plot-box', `task ${String(TASKS - 1)}: solved 0 of 2`);
    await drawing.click({ position: { x: box.width - 24, y: box.height / 2 } });
    await expectText(page, 'h1', `Task ${String(TASKS - 1)}, trial 0`);
    expect(complaints).toEqual([]);
  });

  test('a comparison says what the program says of it, and leads to the episodes of either run', async () => {
    const { page, complaints } = await openReport(browser, await fileOfManyTasks(), '#/compare');
    await expectText(page, '.comparison-verdict', 'no difference shown');
    await expectText(page, 'figure.chart', 'Over 12 tasks of both runs');
    await page.getByRole('button', { name: 'run-2, task 0, trial 1: failed' }).click();
    await expect.poll(() => page.url(), PATIENCE).toContain('#/episode/1/0/1');
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
  writeFileSync(
    file,
    await pageOf([first, second], { comparison: { sentences: ['no difference shown'], settings: [] } }),
  );
  return file;
}

/** Texts of plots that their box cuts off. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.plot-box')].flatMap((box) => {
    const outer = box.getBoundingClientRect();
    return [...box.querySelectorAll('svg text')].filter((text) => {
      const { left, right, top, bottom, width } = text.getBoundingClientRect();
      const isInside = left >= outer.left - 1 && right <= outer.right + 1 && top >= outer.top - 1 && bottom <= outer.bottom + 1;
      return width > 0 && !isInside;
    }).map((text) => text.textContent);
  })`);
}

/** Labels of an axis that lie on their neighbours. */
function overlappingTicks(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.plot-box g[aria-label="x-axis tick label"]')].flatMap((axis) => {
    const labels = [...axis.querySelectorAll('text')];
    const boxes = labels.map((label) => label.getBoundingClientRect()).sort((a, b) => a.left - b.left);
    return boxes.flatMap((box, index) => (index > 0 && boxes[index - 1].right > box.left ? [axis.textContent] : []));
  })`);
}

/** Contrast of the charts' texts with the panel that they are on, as WCAG computes it. */
function lowestContrast(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const luminance = (colour) => {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrasts = [...document.querySelectorAll('figure.chart')].flatMap((chart) => {
      const panel = luminance(getComputedStyle(chart).backgroundColor);
      const texts = [...chart.querySelectorAll('svg text, h3, p, th, li, summary')];
      return texts.map((text) => {
        const style = getComputedStyle(text);
        const ink = luminance(text instanceof SVGElement ? style.fill : style.color);
        return (Math.max(ink, panel) + 0.05) / (Math.min(ink, panel) + 0.05);
      });
    });
    return Math.min(...contrasts);
  })()`);
}

/** The second run fails tasks that the first solves; its last tasks are never solved by either. */
async function fileOfManyTasks(): Promise<string> {
  const log = (runId: string, isSolved: (taskId: number, trial: number) => boolean) =>
    logOf(
      Array.from({ length: TASKS * 2 }, (_, index) => {
        const [taskId, trial] = [index >> 1, index & 1];
        const costs = [usage('agent', 0.01 * (1 + index)), usage('user', 0.001)];
        if (isSolved(taskId, trial)) return { taskId, trial, input: { usage: costs } };
        return { taskId, trial, input: { ...FAILED, usage: costs }, context: { analyze: () => ANALYSIS } };
      }),
      runId,
    );
  const first = await log('run-1', (taskId, trial) => taskId < 3 || (taskId < 9 && trial === 0));
  const second = await log('run-2', (taskId, trial) => taskId < 9 && trial === 0);
  const file = path.join(scratchFolder(), 'report.html');
  writeFileSync(
    file,
    await pageOf([first, second], { comparison: { sentences: ['no difference shown'], settings: [] } }),
  );
  return file;
}
