import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Archive } from '../../../src/results/formats/testing.ts';
import { zipOf } from './zip.ts';
import { scratchFolder, tauflow } from '../../cli/in-process.ts';

/** Written by `make-inspect.py`, with the figures that Inspect printed for them. */
const fixtures = new URL('../../fixtures/formats/', import.meta.url).pathname;
const LOGS = [join(fixtures, 'inspect.eval'), join(fixtures, 'inspect.json.gz')];
const OWN = { match: '0.625', graded: '0.491', polite: '0.750', brief: '0.500' };

async function report(...words: string[]) {
  const { stdout: out, stderr: err, code } = await tauflow(['report', ...words]);
  return { out, err, code };
}

describe('a log of Inspect', () => {
  it.each(LOGS)('has the figures that Inspect has of it: %s', async (log) => {
    for (const [score, mean] of Object.entries(OWN)) {
      const { out, code } = await report(log, '--json', '--score', score);
      const { metrics, subject } = JSON.parse(out) as {
        metrics: { average_reward: number };
        subject: { notes: string[]; agent_model: string };
      };
      expect(metrics.average_reward.toFixed(3)).toBe(mean);
      expect(subject.notes.join('\n')).toMatch(
        new RegExp(`Inspect's own figures of ${score}: (?:accuracy|mean) ${mean}`),
      );
      expect(subject.agent_model).toBe('mockllm/model');
      // One sample ended in an error.
      expect(code).toBe(1);
    }
  });

  it('says what is known of costs and conversations, and no more', async () => {
    const { out } = await report(LOGS[1] ?? '', '--format', 'csv');
    const lines = out.split(/\r?\n/).map((line) => line.replaceAll('"', '').split(','));
    const [head, first] = lines;
    const cell = (row: string[] | undefined, name: string) => row?.[head?.indexOf(name) ?? -1];
    expect(cell(first, 'task_name')).toBe('s0');
    expect(cell(first, 'steps')).toBe('2');
    expect(cell(first, 'turns')).toBe('1');
    expect(cell(first, 'calls')).toBe('2');
    expect(cell(first, 'prompt_tokens')).toBe('220');
    expect(cell(first, 'cost_usd')).toBe('0.025');
    const failed = lines.find((line) => line.some((each) => each.includes('the sandbox is gone')));
    expect(['reward', 'cost_usd', 'prompt_tokens', 'turns'].map((name) => cell(failed, name))).toEqual([
      '',
      '',
      '',
      '0',
    ]);
  });

  it('is compared with another one by the names of its tasks', async () => {
    const { stdout: out, code } = await tauflow(['compare', ...LOGS, '--json']);
    const { errors_left_out: figures } = JSON.parse(out) as { errors_left_out: { tasks: number; delta: number } };
    expect(code).toBe(0);
    expect(figures).toMatchObject({ tasks: 4, delta: 0 });
  });

  it('counts scores from a threshold on', async () => {
    const { out } = await report(LOGS[0] ?? '', '--json', '--score', 'brief', '--threshold', '0.5');
    // Epochs 2 and 3 of four tasks; the second of one task ended in an error.
    expect(JSON.parse(out)).toMatchObject({ metrics: { errors_as_failures: { episodes: 11, successes: 7 } } });
  });

  it('without an end is read from its samples', async () => {
    const folder = scratchFolder();
    const archive = await Archive.open(LOGS[0] ?? '');
    const entries: Record<string, Buffer> = {};
    for (const name of archive.names.filter((each) => /^_journal\/start|^samples/.test(each))) {
      const pieces: Uint8Array[] = [];
      for await (const piece of archive.read(name)) pieces.push(piece);
      entries[name] = Buffer.concat(pieces);
    }
    archive.close();
    writeFileSync(join(folder, 'cut.eval'), zipOf(entries));
    const { out } = await report(join(folder, 'cut.eval'), '--json', '--score', 'graded');
    const { metrics, subject } = JSON.parse(out) as {
      metrics: { average_reward: number };
      subject: { notes: string[] };
    };
    expect(metrics.average_reward.toFixed(3)).toBe(OWN.graded);
    expect(subject.notes).toContain('The log has no end: Inspect was still running, or was killed.');
  });

  const whole = readFileSync(LOGS[0] ?? '');
  const place = whole.lastIndexOf('summaries.json', whole.indexOf('reductions.json')) + 60;
  const text = gunzipSync(readFileSync(LOGS[1] ?? ''));
  const zeros = ['header.json', 'a', 'b', 'c', 'd'].map((name) => [name, Buffer.alloc(100)] as const);
  const bomb = zipOf(Object.fromEntries(zeros), 4 * 1024 ** 3);
  it.each([
    ['cut archive', whole.subarray(0, 20_000), /zip archive is damaged/],
    [
      'archive with other bytes',
      Buffer.concat([whole.subarray(0, place), Buffer.alloc(300, 7), whole.subarray(place + 300)]),
      /damaged|not JSON/,
    ],
    ['other archive', zipOf({ 'word/document.xml': Buffer.from('<a/>') }), /it is compressed in another way than gzip/],
    ['zip bomb', bomb, /unpacks to more than 16 GiB/],
    ['cut document', text.subarray(0, 100_000), /cut short or is not JSON/],
    ['document of another shape', Buffer.from('{"status": 1, "eval": {}}'), /not a log of Inspect \(status/],
    ['huge number', Buffer.from(text.toString().replace('"epoch": 1,', '"epoch": 1e999,')), /not a log of Inspect/],
  ])('is refused in one sentence: %s', async (_, content, reason) => {
    const folder = scratchFolder();
    const file = join(folder, 'log.eval');
    writeFileSync(file, content);
    const { err, code } = await report(file);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('names the scores that it has', async () => {
    const folder = scratchFolder();
    copyFileSync(LOGS[0] ?? '', join(folder, 'log.eval'));
    const { err, code } = await report(folder, '--score', 'accuracy');
    expect(code).toBe(2);
    expect(err).toContain('has no score accuracy; choose one of its own with --score: match, graded, polite, brief.');
  });
});
