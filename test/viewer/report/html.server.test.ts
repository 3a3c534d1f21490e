/** Content of a report's page: nothing in it runs but the app; and the command that writes it. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path, { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { reportOfEntries } from '../../../src/results/report/index.ts';
import { readResultsFile, assembleResultsFile } from '../../../src/results/files/index.ts';
import { makeBundle, htmlText, dataJson } from '../../../src/viewer/testing.ts';
import { namesIn, scratchFolder, tauflow } from '../../cli/in-process.ts';
import { idleFile, makeRun } from '../../cli/reported-runs.ts';
import { MESSAGES, TASK } from '../../results/fixtures.ts';
import { ANALYSIS, chunkIn, conversationIn, FAILED, logOf, pageOf, payloadIn, textOfPage } from './pages.ts';

const HOSTILE = '</script><script>alert(1)</script><!--<script>"\'&\u2028';

test('the same log gives the same bytes, whatever the time', async () => {
  const log = await logOf([
    { taskId: 3, trial: 1 },
    { taskId: 3, trial: 0 },
  ]);
  expect(await pageOf([log])).toBe(await pageOf([log]));
});

test('the overview has an episode per record, trial by trial, and its tools by name', async () => {
  const page = await pageOf([
    await logOf([
      { taskId: 5, trial: 0, input: FAILED, context: { analyze: () => ANALYSIS } },
      { taskId: 3, trial: 1 },
      { taskId: 3, trial: 0 },
    ]),
  ]);
  const [run] = payloadIn(page).runs;
  expect(run?.episodes.map(({ taskId, trial }) => [taskId, trial])).toEqual([
    [3, 0],
    [5, 0],
    [3, 1],
  ]);
  const failed = run?.episodes[1];
  expect(failed).toMatchObject({
    reward: 0,
    faults: [{ kind: 'wrong_argument', step: 1 }],
    userFaults: ['invented_id'],
    isSuspect: true,
  });
  expect(failed?.tools.map((at) => run?.tools[at])).toEqual(['pay']);
  expect(payloadIn(page).asOf).toBe('2025-01-01T00:00:12.500Z');
});

test('a conversation has every step with what it cost, its fault and its data in their place', async () => {
  const page = await pageOf(
    [await logOf([{ taskId: 3, trial: 0, input: FAILED, context: { analyze: () => ANALYSIS } }])],
    { uiUrl: 'http://127.0.0.1:8233' },
  );
  const [episode] = payloadIn(page).runs[0]?.episodes ?? [];
  if (episode === undefined) throw new Error('no episode');
  const conversation = conversationIn(page, episode);
  expect(conversation.steps).toEqual([
    {
      index: 1,
      name: 'pay',
      text: '{"amount": 131.0}',
      thought: null,
      observation: 'paid',
      changed: true,
      costUsd: 0.01,
      thinkMs: 1,
      durationMs: 3,
      calls: 1,
      userCalls: [],
    },
    expect.objectContaining({ index: 2, name: 'respond', text: 'That is 10.', observation: '###STOP###' }),
  ]);
  expect(conversation.opening).toBe('Hello');
  expect(conversation.wanted[0]).toEqual({
    name: 'pay',
    text: '{"order_id": "#W1", "amount": 131.0, "counts": {"9": 1, "1": 12345678901234567890}}',
  });
  expect(conversation.faults).toEqual(ANALYSIS.faults);
  expect(conversation.differences).toEqual([
    expect.objectContaining({ field: expect.stringContaining('orders #W1') as string, step: 1, agent: '130.0' }),
  ]);
  expect(conversation.historyUrl).toBe(
    'http://127.0.0.1:8233/namespaces/default/workflows/run-1%2Ftask-3%2Ftrial-0/0b5e/history',
  );
  expect(chunkIn(page, episode.chunk).prompts).toEqual(['Policy: be kind.']);
});

test('without an address of Temporal UI there are no links, and without an analysis the page says so', async () => {
  const page = await pageOf([await logOf([{ taskId: 3, trial: 0 }])]);
  const [episode] = payloadIn(page).runs[0]?.episodes ?? [];
  if (episode === undefined) throw new Error('no episode');
  expect(conversationIn(page, episode)).toMatchObject({ historyUrl: null, isAnalysed: false, faults: [] });
});

test('chunks are closed before they get large, and keep each prompt once', async () => {
  const long = 'x'.repeat(120_000);
  const messages = MESSAGES.map((message) => (message.role === 'tool' ? { ...message, content: long } : message));
  const log = await logOf([0, 1, 2, 3].map((taskId) => ({ taskId, trial: 0, context: { messages } })));
  const page = await pageOf([log]);
  const episodes = payloadIn(page).runs[0]?.episodes ?? [];
  expect(episodes.map(({ chunk, place }) => [chunk, place])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  expect(chunkIn(page, 1).prompts).toHaveLength(1);
  for (const episode of episodes) expect(conversationIn(page, episode).steps[0]?.observation).toBe(long);
});

test('a results file of another tool has a page, with the task that the file names', async () => {
  const log = await logOf([{ taskId: 3, trial: 0 }]);
  const { path: written } = await assembleResultsFile(log);
  const page = await textOfPage([
    {
      kind: 'file',
      entries: await readResultsFile(written),
      pack: null,
      report: reportOfEntries(written, await readResultsFile(written), null),
    },
  ]);
  const [episode] = payloadIn(page).runs[0]?.episodes ?? [];
  if (episode === undefined) throw new Error('no episode');
  expect(conversationIn(page, episode)).toMatchObject({ instruction: TASK.instruction, workflowId: null, roles: [] });
  expect(conversationIn(page, episode).steps.map(({ name }) => name)).toEqual(['pay', 'respond']);
  expect(episode.costUsd).toBeNull();
});

test('an error in place of a trajectory is an episode whose steps are not known', async () => {
  const file = path.join(scratchFolder(), 'errors.json');
  writeFileSync(file, JSON.stringify([{ task_id: 1, reward: 0, info: { error: 'boom' }, traj: [], trial: 0 }]));
  const page = await textOfPage([
    {
      kind: 'file',
      entries: await readResultsFile(file),
      pack: null,
      report: reportOfEntries(file, await readResultsFile(file), null),
    },
  ]);
  const [episode] = payloadIn(page).runs[0]?.episodes ?? [];
  expect(episode).toMatchObject({ outcome: 'error', error: 'boom', steps: null });
});

test('the policy names the hash of the one script that runs, and nothing else may run or be loaded', async () => {
  const page = await pageOf([await logOf([{ taskId: 3, trial: 0 }])]);
  const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(script, 'utf8').digest('base64');
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  expect(script.length).toBeGreaterThan(10_000);
  expect(policy.replaceAll('&#39;', "'")).toBe(
    `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(script.length).toBeLessThan(410_000);
});

test('text of a model, a user or a file name is never read as HTML', async () => {
  const messages = MESSAGES.map((message) =>
    message.role === 'assistant' || message.role === 'tool' ? { ...message, content: HOSTILE } : message,
  );
  const log = await logOf([
    {
      taskId: 3,
      trial: 0,
      input: { outcome: { kind: 'agent_error', error: 'invalid_tool_arguments', message: HOSTILE }, reward: 0 },
      context: { messages },
    },
  ]);
  const manifest = await log.readRun();
  if (manifest === null) throw new Error('no run.json');
  await log.writeRun({ ...manifest, notes: [HOSTILE], runId: HOSTILE });
  const page = await pageOf([log], { comparison: { sentences: [HOSTILE], settings: [] } });
  const harmless = await pageOf([await logOf([{ taskId: 3, trial: 0 }])]);
  const scripts = (text: string) => text.match(/<\/?script|<!--/gi)?.length;
  expect(scripts(page)).toBe(scripts(harmless));
  expect(page).not.toContain('alert(1)</script>');
  const { runs, comparison } = payloadIn(page);
  expect(comparison.sentences).toEqual([HOSTILE]);
  expect(runs[0]?.subject.runId).toBe(HOSTILE);
  const [episode] = runs[0]?.episodes ?? [];
  expect(episode?.error).toBe(HOSTILE);
  expect(episode && conversationIn(page, episode).steps[0]?.observation).toBe(HOSTILE);
});

test('data and texts come out as they went in, and hold nothing that ends an element', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant(HOSTILE))), (texts) => {
      expect(JSON.parse(dataJson(texts))).toEqual(texts);
      expect(dataJson(texts)).not.toContain('<');
      expect(htmlText(texts.join(''))).not.toMatch(/[<>"']/);
    }),
  );
});

test('a bundle has the modules of which something is used, and names one that is missing', async () => {
  const folder = path.join(scratchFolder(), 'app');
  mkdirSync(folder);
  const bundleOf = (main: string) => {
    writeFileSync(path.join(folder, 'main.tsx'), main);
    return makeBundle(pathToFileURL(`${folder}/`));
  };
  writeFileSync(path.join(folder, 'used.ts'), "export const used = 'is here';");
  writeFileSync(path.join(folder, 'unused.ts'), "export const idle = 'is left out'; globalThis.left = idle;");
  writeFileSync(path.join(folder, 'index.ts'), "export * from './used.ts'; export * from './unused.ts';");
  const { script } = await bundleOf("import { used } from './index.ts'; document.title = used;");
  expect(script).toContain('is here');
  expect(script).not.toContain('is left out');
  await expect(bundleOf("import { gone } from './gone.ts'; document.title = gone;")).rejects.toThrow(
    /^Build failed with 1 error:\n\S+: ERROR: Could not resolve "\.\/gone\.ts"$/,
  );
});

describe('report as a page', () => {
  it('is written to stdout, or to a file in one go', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const words = ['report', 'mine', '--format', 'html'];
    const { stdout } = await tauflow([...words, '--output', '-'], { cwd });
    expect(stdout).toMatch(/^<!doctype html>\n/);
    const written = await tauflow([...words, '--output', 'out/report'], { cwd });
    expect(written).toMatchObject({ code: 0, stdout: '', stderr: 'wrote out/report' });
    expect(namesIn(join(cwd, 'out'))).toEqual(['report']);
    expect(readFileSync(join(cwd, 'out/report'), 'utf8')).toBe(`${stdout}\n`);
  });

  it('is put beside the results, where no file is named', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'a', 1);
    await makeRun(cwd, 'b', 3);
    idleFile(cwd);
    const page = async (...subjects: string[]) =>
      (await tauflow(['report', ...subjects, '--format', 'html'], { cwd })).stderr;
    expect(await page('a')).toBe('wrote results/a.html');
    expect(await page('a', 'b')).toBe('wrote results/a-vs-b.html');
    expect(await page('a', 'b', 'idle.json')).toBe('wrote results/a-and-2-more.html');
    expect(await page('idle.json')).toBe('wrote idle.html');
  });
});
