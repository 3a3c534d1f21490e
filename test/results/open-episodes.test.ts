import {
  appendFile,
  mkdir,
  open,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readAppended, makeOpenFolders } from '../../src/run-log/testing.ts';
import {
  OpenEpisodeReader,
  appendOpenLines,
  removeOpenEpisode,
  removeOpenEpisodes,
  type OpenEpisodeLine,
  type RunLog,
} from '../../src/run-log/index.ts';
import { record, scratchLog } from './fixtures.ts';

const KEY = { taskId: 17, trial: 0 };

async function opened(): Promise<{ log: RunLog; file: string; reader: OpenEpisodeReader }> {
  const log = scratchLog();
  await makeOpenFolders(log.paths, {});
  const file = path.join(log.paths.open, 'task-17.trial-0.jsonl');
  return { log, file, reader: new OpenEpisodeReader(log.paths, KEY) };
}

function line(activityId: string, text: string, changes: Partial<OpenEpisodeLine> = {}): OpenEpisodeLine {
  const at = '2025-01-01T00:00:00.000Z';
  return {
    ...{ at, activityId, workflowRunId: 'first', role: 'agent', tool: null, text, observation: null, costUsd: 0.01 },
    ...changes,
  };
}

async function texts(reader: OpenEpisodeReader): Promise<string[]> {
  return (await reader.read()).map(({ text }) => text);
}

describe('an open episode', () => {
  it('is read as it grows, each line as it was written', async () => {
    const { log, reader } = await opened();
    expect(await reader.read()).toEqual([]);
    await appendOpenLines(log.paths, KEY, [line('1', 'Hello')]);
    const step = line('2', '{"id": 1}', { role: null, tool: 'find', observation: '“found”\n', costUsd: 0 });
    await appendOpenLines(log.paths, KEY, [step]);
    expect(await reader.read()).toEqual([line('1', 'Hello'), step]);
    await appendOpenLines(log.paths, KEY, [line('3', 'Bye')]);
    expect(await texts(reader)).toEqual(['Hello', '{"id": 1}', 'Bye']);
  });

  it('has the line of an activity once, however often it was tried', async () => {
    const { log, reader } = await opened();
    for (const [id, text] of [
      ['1', 'Hello'],
      ['2', 'lost'],
      ['2', 'again'],
    ] as const) {
      await appendOpenLines(log.paths, KEY, [line(id, text)]);
    }
    expect(await texts(reader)).toEqual(['Hello', 'again']);
  });

  it('has the lines of its present workflow run alone, whatever an activity of the one before still writes', async () => {
    const { log, reader } = await opened();
    await appendOpenLines(log.paths, KEY, [line('1', 'old')]);
    await appendOpenLines(log.paths, KEY, [line('1', 'new', { workflowRunId: 'second' })]);
    await appendOpenLines(log.paths, KEY, [line('2', 'late')]);
    expect(await texts(reader)).toEqual(['new']);
  });

  it.each([
    ['half a line', '\n{"at":"2025-01-01T00:00:00.000Z","activ'],
    ['no JSON', '\nnull\n[]\n"x"\n\u0000\ufffd'],
    ['another shape', '\n{"at":1,"activityId":"1"}\n{"__proto__":{"at":"x"}}'],
    ['a line without an end', `\n${'['.repeat(100_000)}`],
  ])('is read around %s', async (_, hostile) => {
    const { log, file, reader } = await opened();
    await appendOpenLines(log.paths, KEY, [line('1', 'Hello')]);
    await appendFile(file, hostile);
    expect(await texts(reader)).toEqual(['Hello']);
    await appendOpenLines(log.paths, KEY, [line('2', 'Bye')]);
    expect(await texts(reader)).toEqual(['Hello', 'Bye']);
  });

  it('is read from its beginning where the file is another one', async () => {
    const { log, file, reader } = await opened();
    await appendOpenLines(log.paths, KEY, [line('1', 'Hello')]);
    await appendOpenLines(log.paths, KEY, [line('2', 'I need help')]);
    expect(await texts(reader)).toHaveLength(2);
    await truncate(file, 10);
    expect(await texts(reader)).toEqual([]);
    await writeFile(file, '');
    await appendOpenLines(log.paths, KEY, [line('1', 'Anew', { workflowRunId: 'second' })]);
    expect(await texts(reader)).toEqual(['Anew']);
  });

  it('keeps a line within 20 kB, and says how long the text was', async () => {
    const { log, file, reader } = await opened();
    const observation = '\u0001€'.repeat(100_000);
    await appendOpenLines(log.paths, KEY, [line('1', 'a'.repeat(30_000), { observation })]);
    expect((await stat(file)).size).toBeLessThanOrEqual(20_001);
    const [read] = await reader.read();
    expect(read?.text).toMatch(/^a{1000,}… \[30,000 characters\]$/);
    expect(read?.observation).toMatch(/… \[200,000 characters\]$/);
  });

  it('is gone with its record, and so are lines that come too late', async () => {
    const { log, reader } = await opened();
    await appendOpenLines(log.paths, KEY, [line('1', 'Hello')]);
    const written = await log.writeEpisode(record(17, 0));
    await removeOpenEpisode(log.paths, KEY);
    expect(await reader.read()).toEqual([]);
    expect(await readdir(log.paths.open)).toEqual([]);
    await appendOpenLines(log.paths, KEY, [line('2', 'late')]);
    expect(await reader.read()).toEqual([]);
    // The episode runs again.
    await utimes(written, new Date(0), new Date(0));
    await appendOpenLines(log.paths, KEY, [line('1', 'again', { workflowRunId: 'second' })]);
    expect(await texts(reader)).toEqual(['again']);
  });

  it('is written nowhere where the run is on another disk or has ended', async () => {
    const { log } = await opened();
    await removeOpenEpisodes(log.paths);
    await expect(appendOpenLines(log.paths, KEY, [line('1', 'Hello')])).rejects.toMatchObject({ code: 'ENOENT' });
    await removeOpenEpisodes(log.paths);
    await removeOpenEpisode(log.paths, KEY);
  });
});

describe('what was appended to a file', () => {
  const parse = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined);

  it('is read once, and a half-written line when it is whole', async () => {
    const { log } = await opened();
    const file = path.join(log.paths.folder, 'numbers');
    await writeFile(file, '\n1\n2x');
    const first = await readAppended(file, 0, parse);
    expect(first).toEqual({ lines: [1], next: 2, isAnew: false });
    await writeFile(file, '\n1\n23\n4');
    const second = await readAppended(file, first.next, parse);
    expect(second).toEqual({ lines: [23, 4], next: 7, isAnew: false });
    expect(await readAppended(file, second.next, parse)).toEqual({ lines: [], next: 7, isAnew: false });
    await writeFile(file, '\n5');
    expect(await readAppended(file, second.next, parse)).toEqual({ lines: [5], next: 2, isAnew: true });
    await rm(file);
    expect(await readAppended(file, 2, parse)).toEqual({ lines: [], next: 0, isAnew: true });
  });

  it('ends where the file ends, also if it becomes shorter while it is read', async () => {
    const { log } = await opened();
    const file = path.join(log.paths.folder, 'numbers');
    await writeFile(file, '\n1\n2');
    const handle = await open(file);
    const asked = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'stat');
    await handle.close();
    asked.mockResolvedValue({ size: 100 } as Awaited<ReturnType<FileHandle['stat']>>);
    try {
      expect((await readAppended(file, 0, parse)).lines).toContain(1);
      expect(asked).toHaveBeenCalledTimes(1);
    } finally {
      asked.mockRestore();
    }
  });

  it('may be longer than what is read at a time', async () => {
    const { log } = await opened();
    await mkdir(log.paths.folder, { recursive: true });
    const file = path.join(log.paths.folder, 'numbers');
    await writeFile(file, `\n1\n${'x'.repeat(40 * 1024 * 1024)}\n2${'\n3'.repeat(10)}`);
    const { lines, next } = await readAppended(file, 0, parse);
    expect(lines).toEqual([1, 2, ...Array.from({ length: 10 }, () => 3)]);
    expect(next).toBe((await readFile(file)).length);
  });
});
