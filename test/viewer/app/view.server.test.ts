/** The app of `tauflow view` as a browser shows it, over a server and a log folder. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { compareScheduledRun } from '../../../src/results/compare/index.ts';
import { openRunLogs } from '../../../src/run-log/store/index.ts';
import { makeOpenFolders } from '../../../src/run-log/testing.ts';
import { buildEpisodeRecord, appendRequest, RunLog } from '../../../src/run-log/index.ts';
import type { ViewedRun } from '../../../src/viewer/data/testing.ts';
import { describeWithBrowser } from '../../helpers/browser.ts';
import { CONTEXT, MESSAGES, recordInput, scratchFolder } from '../../results/fixtures.ts';
import { makeViewedRun } from '../viewed.ts';
import { expectText, openView, PATIENCE } from './open.ts';
import { episodesOf, run } from '../payloads.ts';

describeWithBrowser('the app in Chromium', (launch) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(async () => {
    await browser.close();
  });

  test('leads from the list to a run, an episode and a step, and back', async () => {
    const { page, complaints } = await openView(browser, await folderOfRuns());
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

  test('narrows the list down, and compares the runs that are picked', async () => {
    const { page, complaints } = await openView(browser, await folderOfRuns());
    await expect.poll(() => page.locator('.runs a.run-name').count(), PATIENCE).toBe(2);
    await page.keyboard.press('/');
    await page.keyboard.type('run-b');
    await expect.poll(() => page.locator('.runs a.run-name').allTextContents(), PATIENCE).toEqual(['run-b']);
    expect(await hashOf(page)).toBe('#/?q=run-b');
    await page.getByRole('button', { name: 'show all' }).click();
    await page.getByRole('button', { name: 'pass^1' }).click();
    await expect.poll(() => page.locator('.runs a.run-name').allTextContents(), PATIENCE).toEqual(['run-b', 'run-a']);
    await page.getByLabel('Compare run-a').check();
    await expect.poll(() => page.getByRole('button', { name: 'Compare', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Compare run-b').check();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await expectText(page, 'h2', 'run-a → run-b');
    await expectText(page, '.comparison-verdict', 'run-b');
    await page.getByRole('button', { name: 'run-a, task 7, trial 1: failed' }).click();
    await expect.poll(() => hashOf(page), PATIENCE).toBe('#/episode/run-a/7/1');
    expect(complaints).toEqual([]);
  });

  test('keeps a note and its label, and finds the episode by them', async () => {
    const { page, complaints, url } = await openView(browser, await folderOfRuns(), '#/episode/run-a/7/1');
    await page.getByLabel('Add a label').fill('ambiguous task');
    await page.keyboard.press('Enter');
    await page.getByLabel('Text of the note').fill('The zip code is missing.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor(PATIENCE);

    await page.reload();
    await expect
      .poll(() => page.getByLabel('Text of the note').inputValue(), PATIENCE)
      .toBe('The zip code is missing.');
    await page.goto(`${url}/#/episode/run-a/0/0`);
    await page.getByRole('button', { name: '+ ambiguous task' }).waitFor(PATIENCE);

    await page.goto(`${url}/#/run/run-a`);
    await page.getByRole('link', { name: 'task 7, trial 1: not solved; note: ambiguous task' }).waitFor(PATIENCE);
    await page.getByLabel('with a note (1)').check();
    await expectText(page, '.shown', '1 of 4 episodes');
    await page.locator('#search').fill('zip missing');
    await expectText(page, '.shown', '1 of 4 episodes');
    await page.locator('#search').fill('zip present');
    await expectText(page, '.shown', '0 of 4 episodes');
    expect(complaints).toEqual([]);
  });

  test('searches conversations on the server', async () => {
    const logDir = scratchFolder();
    const log = await makeViewedRun(logDir, 'run-a');
    const messages = MESSAGES.map((message) =>
      message.role === 'tool' ? { ...message, content: 'a blanket of oatmeal' } : message,
    );
    const input = recordInput({ run: { runId: 'run-a', logDir }, episode: { taskId: 7, trial: 0 } });
    await log.writeEpisode(buildEpisodeRecord(input, { ...CONTEXT, messages }));
    const { page, complaints } = await openView(browser, logDir, '#/run/run-a');
    await page.locator('#search').fill('oatmeal');
    await expectText(page, '.shown', '0 of 4 episodes');
    await page.getByLabel('in conversations too').check();
    await expectText(page, '.shown', '1 of 4 episodes');
    await page.getByRole('link', { name: /^task 7, trial 0/ }).click();
    await expectText(page, 'h1', 'Task 7, trial 0');
    expect(complaints).toEqual([]);
  });

  test('shows the model calls that were kept, as text whatever is in them', async () => {
    const logDir = await folderOfRuns();
    const log = new RunLog({ runId: 'run-a', logDir });
    await makeOpenFolders(log.paths, { keepRequests: true });
    const { workflowRunId } = (await log.readEpisode({ taskId: 7, trial: 1 })) ?? { workflowRunId: '' };
    const at = '2025-01-01T00:00:01.000Z';
    const call = { call: 'agent 3', role: 'agent', workflowRunId, at, durationMs: 12 };
    const key = { taskId: 7, trial: 1 };
    await appendRequest(log.paths, key, { ...call, status: 429, request: '{}', reply: 'slow down' });
    await appendRequest(log.paths, key, {
      ...call,
      status: 200,
      request: '{"seed": 10}',
      reply: '<img src=x onerror=alert(1)>',
    });
    const { page, complaints } = await openView(browser, logDir, '#/episode/run-a/7/1');
    await page.getByText('Requests and replies of the model calls').click();
    await expectText(page, '.requests', '2 model calls');
    await page.locator('.requests summary', { hasText: '200' }).click();
    await expectText(page, '.requests', '"seed": 10');
    await expectText(page, '.requests', '<img src=x onerror=alert(1)>');
    expect(await page.locator('.requests img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('names a run that is not there in one sentence, and tries again', async () => {
    const { page } = await openView(browser, await folderOfRuns(), '#/run/nothing');
    await expectText(page, '.callout', 'nothing');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectText(page, '.callout', 'nothing');
  });

  test('fits a phone, in the dark', async () => {
    const options = { viewport: { width: 390, height: 800 }, colorScheme: 'dark' } as const;
    const { page, complaints, url } = await openView(browser, await folderOfRuns(), '', options);
    for (const [hash, title] of [
      ['#/', 'Runs'],
      ['#/run/run-a', 'run-a'],
      ['#/episode/run-a/7/1', 'Task 7, trial 1'],
      ['#/compare/run-a/run-b', 'Comparison'],
    ] as const) {
      await page.goto(`${url}/${hash}`);
      await expectText(page, 'h1', title);
      await page.locator('.runs, .grid, .conversation, .comparison').first().waitFor(PATIENCE);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), PATIENCE).toBe(390);
    }
    expect(complaints).toEqual([]);
  });

  test('wraps nothing inside a word on a laptop, and scrolls nothing sideways', async () => {
    const logDir = scratchFolder();
    const before = 'retail-fastworkflow-oracle-nightly-2026-11-27-with-a-long-name';
    const after = 'retail-fastworkflow-oracle-nightly-2026-11-28-with-a-long-name';
    await makeViewedRun(logDir, before);
    const log = await makeViewedRun(logDir, after);
    const manifest = await log.readRun();
    if (manifest === null) throw new Error('no manifest');
    const roleModels = { 'agent/extraction': manifest.config.userModel };
    await log.writeRun({ ...manifest, config: { ...manifest.config, roleModels } });
    const { page, complaints, url } = await openView(browser, logDir, '', { viewport: { width: 1300, height: 900 } });
    for (const [hash, shown] of [
      ['#/', '.runs .run'],
      [`#/run/${before}`, '.grid'],
      [`#/episode/${before}/7/1`, '.conversation'],
      [`#/compare/${before}/${after}`, '.comparison .table'],
    ] as const) {
      await page.goto(`${url}/${hash}`);
      await page.locator(shown).first().waitFor(PATIENCE);
      expect(await page.evaluate(MISFITS), hash).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  test('keeps no more of a long list in the document than is near what is seen', async () => {
    const logDir = scratchFolder();
    for (let at = 0; at < 200; at++)
      await makeViewedRun(logDir, `run-${String(at)}`, { episodes: [], status: 'running' });
    const { page, complaints } = await openView(browser, logDir);
    await expectText(page, '.shown', '200 runs');
    const rows = () => page.locator('.runs a.run-name').count();
    expect(await rows()).toBeLessThan(60);
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await page.locator('.runs tr[aria-rowindex="201"]').waitFor(PATIENCE);
    expect(await rows()).toBeLessThan(60);
    expect(complaints).toEqual([]);
  });

  const verdicts = (page: Page) => page.locator('.scheduled-runs .badge').allTextContents();

  test('schedules are listed with their latest verdict, and each has a trend, its runs and their comparisons', async () => {
    const { page, complaints } = await openView(browser, await folderOfSchedules(), '#/');
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

  test('schedules fit a phone, in the dark', async () => {
    const { page, complaints } = await openView(browser, await folderOfSchedules(), '#/schedule/nightly', DARK_PHONE);
    await expect.poll(() => verdicts(page), PATIENCE).toHaveLength(3);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth'), PATIENCE).toBe(375);
    expect(complaints).toEqual([]);
  });

  test('schedules say so when there is no schedule of a name', async () => {
    const { page } = await openView(browser, await folderOfSchedules(), '#/schedule/other');
    await expectText(page, '.empty', 'No run in this folder was started by a schedule of that name.');
  });
});

describeWithBrowser('a run of 10,000 episodes in Chromium', (launch) => {
  test('has a bounded number of elements, and is filtered as a whole', async () => {
    const browser = await launch();
    onTestFinished(() => browser.close());
    const rewards = Array.from({ length: 2_500 }, (_, task) => [1, 1, 1, task % 5 === 0 ? 0 : 1]);
    const viewed: ViewedRun = { run: run(episodesOf(rewards)), cursor: 0, sweepUrl: null, notes: [] };
    const body = JSON.stringify(viewed);
    const { page, complaints, url } = await openView(browser, await folderOfRuns());
    await page.route(`${url}/api/runs/big`, (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto(`${url}/#/run/big`);
    await expectText(page, '.shown', '10,000 episodes');
    await page.getByRole('button', { name: 'Show as a list' }).click();
    await page.locator('.episodes li').first().waitFor(PATIENCE);
    const elements = (of: string) => page.locator(`${of} *`).count();
    expect(await elements('.grid')).toBeLessThan(4_000);
    expect(await elements('.episodes')).toBeLessThan(1_000);
    await page.getByLabel('Reward').selectOption('unsolved');
    await expectText(page, '.shown', '500 of 10,000 episodes');
    expect(complaints).toEqual([]);
  });
});

/** Lists boxes that scroll sideways, words that are on two lines, and clipped names with a part on another line. */
const MISFITS = `(() => {
  for (const details of document.querySelectorAll('details')) details.open = true;
  const isWide = (box) =>
    box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
  const boxes = [...document.querySelectorAll('body *')].filter(isWide).map((box) => box.className);
  if (document.documentElement.scrollWidth > innerWidth) boxes.push('the page');
  const lines = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return new Set([...range.getClientRects()].filter((each) => each.width > 0).map((each) => Math.round(each.top))).size;
  };
  const words = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const unit = text.parentElement.closest('.middle-clip') === null ? /[\\p{L}\\p{N}]+/gu : /.+/g;
    for (const word of text.data.matchAll(unit))
      if (lines(text, word.index, word.index + word[0].length) > 1) words.push(word[0]);
  }
  return [...boxes, ...words];
})()`;

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

function hashOf(page: Page): Promise<unknown> {
  return page.evaluate('location.hash');
}

const nightly = (day: number) => `nightly-2025-02-0${day}T030000Z`;
const DARK_PHONE = { viewport: { width: 375, height: 800 }, colorScheme: 'dark' } as const;

/** Three runs of a schedule; the second is worse than the first, the third is in progress. */
async function folderOfSchedules(): Promise<string> {
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
    await log.writeComparison(await compareScheduledRun(input, openRunLogs(logDir, null), () => undefined));
  }
  await makeViewedRun(logDir, nightly(3), { status: 'running' });
  return logDir;
}
