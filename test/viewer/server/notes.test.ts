/** Notes and labels on episodes: written by the view, kept beside the records, and exported. */

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { episodeRows } from '../../../src/results/export/index.ts';
import { reportOfRun, reportToJson } from '../../../src/results/report/index.ts';
import { checkNote } from '../../../src/run-log/index.ts';
import type { EpisodeNote, ViewedEpisode, ViewedRun } from '../../../src/viewer/data/testing.ts';
import { idleFile } from '../../cli/reported-runs.ts';
import { record } from '../../results/fixtures.ts';
import { makeViewedRun, startView } from '../viewed.ts';

const AT = 'api/runs/mine/episodes/7/1/note';
const NOTE = { labels: ['ambiguous task', 'flaky user'], text: 'The user asks for two things.\nBoth are allowed.' };

describe('a note', () => {
  it('is kept beside the records, and shown with its run and its episode', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    const before = await view.get('api/runs/mine');
    const note = (await view.put(AT, NOTE)).json as EpisodeNote;
    expect(note).toEqual({ taskId: 7, trial: 1, ...NOTE, writtenAt: expect.stringMatching(/^\d{4}-.*Z$/) as string });
    expect(JSON.parse(readFileSync(path.join(log.paths.folder, 'notes/task-7.trial-1.json'), 'utf8'))).toEqual({
      format_version: 1,
      task_id: 7,
      trial: 1,
      ...NOTE,
      written_at: note.writtenAt,
    });
    expect((await view.get(AT)).json).toEqual(note);
    const run = await view.get('api/runs/mine', { 'If-None-Match': before.headers.get('etag') ?? '' });
    expect((run.json as ViewedRun).notes).toEqual([note]);
    expect(((await view.get('api/runs/mine/episodes/7/1')).json as ViewedEpisode).note).toEqual(note);
  });

  it('stays when the episode runs again', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    await view.put(AT, NOTE);
    await log.archiveEpisode({ taskId: 7, trial: 1 });
    await log.writeEpisode(record(7, 1, { run: { runId: 'mine', logDir: view.logDir }, workflowRunId: 'again' }));
    expect((await view.get(AT)).json).toMatchObject(NOTE);
  });

  it('is in the tables that are exported, and in the JSON of the report', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    const note = (await view.put(AT, NOTE)).json as EpisodeNote;
    const report = await reportOfRun(log);
    const noted = episodeRows(report).filter(({ note: text }) => text !== null);
    expect(noted).toMatchObject([{ task: 7, trial: 1, labels: 'ambiguous task; flaky user', note: NOTE.text }]);
    expect(reportToJson(report)).toMatchObject({
      episode_notes: [{ task_id: 7, trial: 1, ...NOTE, written_at: note.writtenAt }],
    });
  });

  it('is removed when it is empty', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    await view.put(AT, NOTE);
    expect((await view.put(AT, { labels: [], text: '  \n' })).json).toMatchObject({ labels: [], text: '' });
    expect(readdirSync(log.paths.notes)).toEqual([]);
    expect((await view.get(AT)).status).toBe(404);
    expect((await view.put(AT, { labels: [], text: '' })).status).toBe(200);
  });

  it('may be on an episode of a results file', async () => {
    const view = await startView();
    idleFile(view.logDir);
    await view.put('api/runs/idle.json/episodes/0/0/note', NOTE);
    expect(existsSync(path.join(view.logDir, 'idle.notes/task-0.trial-0.json'))).toBe(true);
    expect(((await view.get('api/runs/idle.json')).json as ViewedRun).notes).toMatchObject([NOTE]);
    // The folder is no run, and the file still stands alone.
    expect((await view.get('api/runs')).json).toMatchObject({ runs: [{ id: 'idle.json' }], problems: [] });
  });

  it('is refused where it is too long or on no episode', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    for (const body of [
      {},
      [],
      'null',
      { labels: 'one', text: '' },
      { labels: ['x'.repeat(61)], text: '' },
      { labels: ['two\nlines'], text: '' },
      { labels: [' '], text: '' },
      { labels: Array.from({ length: 21 }, (_, i) => `label ${i}`), text: '' },
      { labels: [], text: 'x'.repeat(20_001) },
    ]) {
      const refused = await view.put(AT, body);
      expect([refused.status, refused.json]).toEqual([
        400,
        { problem: expect.stringMatching(/^this is not a note: /) as string },
      ]);
    }
    expect((await view.put('api/runs/mine/episodes/8/0/note', NOTE)).status).toBe(404);
    expect(existsSync(log.paths.notes)).toBe(false);
  });

  it('that is damaged is a problem of the run, and of nothing else', async () => {
    const view = await startView();
    const log = await makeViewedRun(view.logDir, 'mine');
    await view.put(AT, NOTE);
    await view.put('api/runs/mine/episodes/0/0/note', NOTE);
    writeFileSync(path.join(log.paths.notes, 'task-7.trial-1.json'), '{"format_version": 1');
    const { notes, run } = (await view.get('api/runs/mine')).json as ViewedRun;
    expect(notes.map(({ taskId }) => taskId)).toEqual([0]);
    expect(run.problems.join()).toContain('notes/task-7.trial-1.json is damaged');
  });

  it('is read as it was written, whatever it says', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 20 }), fc.string(), (labels, text) => {
        const lines = labels.map((label) => label.replaceAll(/\p{Cc}/gu, '').trim()).filter((label) => label !== '');
        expect(checkNote({ labels: lines, text })).toEqual({ labels: [...new Set(lines)], text: text.trim() });
      }),
    );
  });
});
