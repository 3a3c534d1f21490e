/** One episode: its conversation, what is downloaded, search, comparison. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import type { Message } from '../../../src/agents/index.ts';
import { buildEpisodeRecord, type RunLog } from '../../../src/run-log/index.ts';
import type { ComparedInWords, SearchLine, ViewedEpisode } from '../../../src/viewer/data/testing.ts';
import { searchLines, findViewed, RunReader } from '../../../src/viewer/server/testing.ts';
import { idleFile } from '../../cli/reported-runs.ts';
import { CONTEXT, MESSAGES, recordInput } from '../../results/fixtures.ts';
import { ANALYSIS } from '../report/pages.ts';
import { makeViewedRun, recordPath, startView } from '../viewed.ts';

async function writeWith(log: RunLog, taskId: number, messages: readonly Message[], error?: string): Promise<void> {
  const input = recordInput({
    run: { runId: log.runId, logDir: log.logDir },
    episode: { taskId, trial: 0 },
    reward: 0,
    ...(error === undefined ? {} : { outcome: { kind: 'agent_error', error: 'unparsable_reply', message: error } }),
  });
  await log.writeEpisode(buildEpisodeRecord(input, { ...CONTEXT, messages, analyze: () => ANALYSIS }));
}

const said = (text: string): readonly Message[] => [...MESSAGES.slice(0, 4), { role: 'assistant', content: text }];

describe('an episode', () => {
  it('has its conversation, prompts and findings', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    await writeWith(log, 9, MESSAGES);
    const { conversation, prompts, note } = (await view.get('api/runs/mine/episodes/9/0')).json as ViewedEpisode;
    expect(prompts).toEqual(['Policy: be kind.']);
    expect(conversation.prompts).toEqual([0]);
    expect(conversation.steps.map(({ name, text, observation }) => [name, text, observation])).toEqual([
      ['pay', '{"amount": 131.0}', 'paid'],
      ['respond', 'That is 10.', '###STOP###'],
    ]);
    expect(conversation.faults.map(({ kind }) => kind)).toEqual(['wrong_argument']);
    expect([conversation.historyUrl, note]).toEqual([null, null]);
  });

  it('may be one of a results file', async () => {
    const view = await startView();
    idleFile(view.logDir);
    const { conversation } = (await view.get('api/runs/idle.json/episodes/7/0')).json as ViewedEpisode;
    expect(conversation).toMatchObject({ opening: 'Hello', steps: [{ name: 'respond', text: 'Hi!' }] });
    expect((await view.get('api/runs/idle.json/episodes/7/1')).status).toBe(404);
  });

  it('is downloaded to the letter', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    const { text, headers } = await view.get('api/runs/mine/episodes/7/1.json');
    expect(text).toBe(readFileSync(recordPath(log, 'task-7.trial-1'), 'utf8'));
    expect(headers.get('content-disposition')).toBe('attachment; filename="mine.task-7.trial-1.json"');
    expect((await view.get('api/runs/mine/episodes/8/0.json')).status).toBe(404);
  });

  it('of a results file is downloaded with the fields that nobody here knows', async () => {
    const view = await startView();
    const entries = [0, 1].map((task_id) => `{"task_id": ${task_id}, "reward": 1.0, "mine": 131.0, "traj": []}`);
    writeFileSync(path.join(view.logDir, 'a "b".json'), `[${entries.join(',')}]`);
    const { text, headers } = await view.get(`api/runs/${encodeURIComponent('a "b".json')}/episodes/1/0.json`);
    expect(text.replaceAll(/\s/g, '')).toBe('{"task_id":1,"reward":1.0,"mine":131.0,"traj":[]}');
    expect(headers.get('content-disposition')).toBe('attachment; filename="a-b-.task-1.trial-0.json"');
  });

  it('is downloaded as Markdown in which no text is markup', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    const hostile = '````\n# Not a heading\n<img src=x onerror=alert(1)>\n```';
    await writeWith(log, 9, said(hostile), '</td>\n# an error');
    await view.put('api/runs/mine/episodes/9/0/note', { labels: ['a`b'], text: '```\n# note' });
    const { text, headers } = await view.get('api/runs/mine/episodes/9/0.md');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="mine.task-9.trial-0.md"');
    expect(text).toContain(`\`\`\`\`\`text\n${hostile}\n\`\`\`\`\`\n`);
    expect(outsideOfFences(text)).toEqual([
      '# Task 9, trial 0',
      '## Error',
      '## Note',
      '## Instruction',
      '## Faults',
      '## Conversation',
      expect.stringMatching(/^### Step 1: /) as string,
      expect.stringMatching(/^### Step 2: reply$/) as string,
    ]);
    expect(text).toContain('| reward | 0 |');
    expect(text).toContain('`` a`b ``');
  });
});

/** Headings as a reader of Markdown sees them. */
function outsideOfFences(markdown: string): string[] {
  const headings: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const ticks = /^(`{3,})(text)?$/.exec(line)?.[1] ?? '';
    if (fence === '' && ticks !== '') fence = ticks;
    else if (fence !== '' && line.endsWith('`') && ticks.length >= fence.length) fence = '';
    else if (fence === '' && line.startsWith('#')) headings.push(line);
  }
  return headings;
}

describe('the search', () => {
  async function search(view: Awaited<ReturnType<typeof startView>>, run: string, words: string) {
    const { text, headers } = await view.get(`api/runs/${run}/search?q=${encodeURIComponent(words)}`);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SearchLine);
    expect(lines.at(-1)?.progress).toBe(1);
    return lines.flatMap(({ found }) => found.map(({ taskId, trial }) => `${taskId}/${trial}`));
  }

  it('finds the episodes whose conversations have all the words', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine', { episodes: [[0, 0]] });
    await writeWith(log, 1, said('Grüße from Ada, "quoted" C:\\temp/x'));
    await writeWith(log, 2, said('nothing of note, Ada'));
    for (const [words, found] of [
      ['ada', ['1/0', '2/0']],
      ['ADA  grüße', ['1/0']],
      ['"quoted" c:\\temp/x', ['1/0']],
      ['paid', ['0/0', '1/0', '2/0']],
      ['131.0', ['0/0', '1/0', '2/0']],
      ['alles', ['0/0', '1/0', '2/0']],
      // Of the policy, the record's fields and nothing at all.
      ['kind.', []],
      ['workflow_run_id', []],
      ['', []],
    ] as const) {
      expect(await search(view, 'mine', words), words).toEqual(found);
    }
  });

  it('looks through results files too, and past what is damaged or gone', async () => {
    const view = await startView();
    idleFile(view.logDir);
    expect(await search(view, 'idle.json', 'hi!')).toEqual(['0/0', '7/0']);
    const log = await makeViewedRun(view.logDir, 'mine');
    await view.get('api/runs/mine');
    writeFileSync(recordPath(log, 'task-0.trial-0'), 'paid');
    rmSync(recordPath(log, 'task-7.trial-0'));
    expect(await search(view, 'mine', 'paid')).toEqual(['0/1', '7/1']);
  });

  it('ends when nobody waits for it', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'mine');
    const viewed = findViewed(view.place, 'mine');
    const source = await new RunReader(view.place, {}).readSource(viewed);
    const gone = AbortSignal.abort();
    const lines: string[] = [];
    for await (const line of searchLines(viewed, source, 'paid', gone)) lines.push(line);
    expect(lines).toEqual([]);
  });
});

describe('a browser that leaves', () => {
  it('ends nothing but its own answer', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'mine');
    const leaving = new AbortController();
    const response = await fetch(`${view.url}/api/runs/mine/search?q=paid`, { signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toThrow(/abort/i);
    expect((await view.get('api/runs/mine')).status).toBe(200);
  });
});

describe('a comparison', () => {
  it('is in the words of `compare`', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'one');
    await makeViewedRun(view.logDir, 'two', {
      episodes: [
        [0, 0, { reward: 0 }],
        [7, 0],
      ],
    });
    await makeViewedRun(view.logDir, 'three');
    const sentences = async (...runs: string[]) =>
      ((await view.get(`api/compare?${runs.map((run) => `run=${run}`).join('&')}`)).json as ComparedInWords).sentences;
    expect((await sentences('one', 'two'))[0]).toMatch(/^two: /);
    expect((await sentences('one', 'two', 'three'))[0]).toMatch(/^3 runs over 2 tasks in common: /);
  });

  it('needs runs, and not too many', async () => {
    const view = await startView();
    await makeViewedRun(view.logDir, 'one');
    expect((await view.get('api/compare?run=one')).status).toBe(400);
    expect((await view.get(`api/compare?${'run=one&'.repeat(9)}`)).status).toBe(400);
    expect((await view.get('api/compare?run=one&run=none')).status).toBe(404);
  });
});
