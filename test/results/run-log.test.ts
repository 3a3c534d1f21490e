import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  ResultsError,
  episodeFileName,
  resolveLogDir,
  manifestCodec,
  openRun,
  runDifferences,
  RunLog,
  type RunManifest,
} from '../../src/run-log/index.ts';
import { parseEpisodeFileName } from '../../src/run-log/testing.ts';
import { configurationDigest } from '../../src/models/index.ts';
import { CONFIG, record, scratchFolder, scratchLog } from './fixtures.ts';

const PLAN = { taskIds: [0, 1], numTrials: 2, shuffle: false };

const MANIFEST: RunManifest = {
  formatVersion: 1,
  runId: 'run-1',
  status: 'running',
  startedAt: '2025-01-01T00:00:00.000Z',
  endedAt: null,
  label: 'TC',
  config: { ...CONFIG },
  plan: PLAN,
  maxConcurrency: 4,
  maxCostUsd: null,
  versions: { tauflow: '0.1.0', some_package: '1.0.0' },
  temporal: { address: '127.0.0.1:7233', namespace: 'default', workflowId: 'run-1' },
  notes: [],
};

async function readAll(log: RunLog) {
  const { episodes, problems } = await log.listEpisodes();
  const sentences = [...problems];
  const names: string[] = [];
  for await (const read of log.records(episodes, (sentence) => sentences.push(sentence))) {
    names.push(`${String(read.taskId)}/${String(read.trial)}`);
  }
  return { names, sentences };
}

describe('a run log', () => {
  it('gives back what was written, trial by trial', async () => {
    const log = scratchLog();
    await log.prepare();
    for (const [task, trial] of [
      [10, 1],
      [2, 1],
      [2, 0],
      [10, 0],
    ] as const)
      await log.writeEpisode(record(task, trial));
    expect(await readAll(log)).toEqual({ names: ['2/0', '10/0', '2/1', '10/1'], sentences: [] });
    expect(await log.readEpisode({ taskId: 2, trial: 1 })).toEqual(record(2, 1));
  });

  it('writes the same bytes when an episode is written again', async () => {
    const log = scratchLog();
    const file = await log.writeEpisode(record(1, 0));
    const before = await readFile(file);
    expect(await log.writeEpisode(record(1, 0))).toBe(file);
    expect(await readFile(file)).toEqual(before);
    expect(await readdir(log.paths.episodes)).toEqual(['task-1.trial-0.json']);
  });

  it('is empty where nothing was written yet', async () => {
    const log = scratchLog();
    expect(await log.listEpisodes()).toEqual({ episodes: [], problems: [] });
    expect(await log.readEpisode({ taskId: 0, trial: 0 })).toBeNull();
    expect(await log.readRun()).toBeNull();
  });

  it('reports a record that is cut in half and treats it as missing', async () => {
    const log = scratchLog();
    const file = await log.writeEpisode(record(1, 0));
    await log.writeEpisode(record(2, 0));
    const whole = await readFile(file, 'utf8');
    await writeFile(file, whole.slice(0, whole.length / 2));
    const { names, sentences } = await readAll(log);
    expect(names).toEqual(['2/0']);
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(
      /task-1\.trial-0\.json is damaged and counts as missing: not complete JSON .*line \d+/,
    );
  });

  it('reports files that are no records, but not of what a killed writer left', async () => {
    const log = scratchLog();
    await log.writeEpisode(record(1, 0));
    for (const name of ['notes.txt', 'task-01.trial-0.json', '.task-2.trial-0.json.tmp', '.DS_Store']) {
      await writeFile(path.join(log.paths.episodes, name), '{');
    }
    const { episodes, problems } = await log.listEpisodes();
    expect(episodes).toEqual([{ taskId: 1, trial: 0 }]);
    expect(problems.map((problem) => problem.replace(log.paths.episodes, ''))).toEqual([
      "/notes.txt is not an episode's record",
      "/task-01.trial-0.json is not an episode's record",
    ]);
  });

  it('reports a record under the name of another episode', async () => {
    const log = scratchLog();
    const file = await log.writeEpisode(record(1, 0));
    await writeFile(path.join(log.paths.episodes, episodeFileName({ taskId: 7, trial: 0 })), await readFile(file));
    const { names, sentences } = await readAll(log);
    expect(names).toEqual(['1/0']);
    expect(sentences[0]).toContain('task-7.trial-0.json is that of task 1, trial 0');
  });

  it('says in one sentence that it cannot be written', async () => {
    const folder = scratchFolder();
    await writeFile(path.join(folder, 'taken'), '');
    const log = new RunLog({ runId: 'run-1', logDir: path.join(folder, 'taken') });
    for (const attempt of [() => log.prepare(), () => log.writeEpisode(record(0, 0)), () => log.writeRun(MANIFEST)]) {
      await expect(attempt()).rejects.toThrow(
        /^the run log cannot be written under .*taken: (a part of the path is a file|a file of that name).*--log-dir$/,
      );
    }
  });

  it('shows a reader the old record or the new one, never a part, while it is rewritten', async () => {
    const log = scratchLog();
    const long = record(1, 0, { served: Array.from({ length: 3000 }, (_, i) => `model-${String(i)}`) });
    await log.writeEpisode(record(1, 0));
    let isWriting = true;
    const writing = (async () => {
      for (let i = 0; i < 15; i++) await log.writeEpisode(i % 2 === 0 ? long : record(1, 0));
      isWriting = false;
    })();
    const sizes = new Set<number>();
    while (isWriting) sizes.add((await log.readEpisode({ taskId: 1, trial: 0 }))?.servedModels.length ?? -1);
    await writing;
    expect([...sizes].every((size) => size === 1 || size === 3000)).toBe(true);
  });
});

describe('run.json', () => {
  it('reads back as it was written, in snake_case on disk', async () => {
    const log = scratchLog();
    await log.writeRun(MANIFEST);
    expect(await log.readRun()).toEqual(MANIFEST);
    const text = await readFile(log.paths.run, 'utf8');
    expect(text).toContain('"episode_timeout_ms": 7200000');
    expect(text).toContain('"some_package": "1.0.0"');
  });

  it('names the file and the field when it is damaged', async () => {
    const log = scratchLog();
    await mkdir(log.paths.folder, { recursive: true });
    await writeFile(log.paths.run, manifestCodec.write(MANIFEST).replace('"running"', '"walking"'));
    await expect(log.readRun()).rejects.toThrow(/run\.json is damaged.*status/);
    expect(() => manifestCodec.read('{"run_id": ')).toThrow(ResultsError);
    expect(() => manifestCodec.read('[]')).toThrow(ResultsError);
  });

  it('lists what another configuration would change, and nothing for a pack that only moved or for requests that are kept', () => {
    const moved = { ...CONFIG, pack: { ...CONFIG.pack, path: '/elsewhere' } };
    expect(runDifferences({ config: CONFIG, plan: PLAN }, { config: moved, plan: PLAN })).toEqual([]);
    const kept = { ...CONFIG, keepRequests: true as const };
    expect(runDifferences({ config: CONFIG, plan: PLAN }, { config: kept, plan: PLAN })).toEqual([]);
    expect(configurationDigest(kept)).toBe(configurationDigest(CONFIG));
    const other = { ...CONFIG, maxSteps: 40, agentModel: { ...CONFIG.agentModel, model: 'gpt-5' } };
    expect(
      runDifferences({ config: CONFIG, plan: PLAN }, { config: other, plan: { ...PLAN, taskIds: [0, 1, 2] } }),
    ).toEqual(['agent_model.model: gpt-4o, now gpt-5', 'max_steps: 30, now 40', 'task_ids: 0 1, now 0 1 2']);
  });

  it('is resumed with other limits, which it has from then on', async () => {
    const log = scratchLog();
    const open = async (config: RunManifest['config']) => {
      const run = { runId: log.runId, logDir: scratchFolder() };
      const input = { run, config, plan: PLAN, maxConcurrency: 1, maxCostUsd: null, workflowId: log.runId };
      const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal: null, notes: [] });
      return manifest.config;
    };
    await open({ ...CONFIG, outageTimeoutMs: 60_000 });
    expect(await open({ ...CONFIG, outageTimeoutMs: 1_000 })).toEqual({ ...CONFIG, outageTimeoutMs: 1_000 });
    expect(await open(CONFIG)).toEqual(CONFIG);
    await expect(open({ ...CONFIG, maxRetries: 9 })).rejects.toThrow('max_retries: 3, now 9');
  });

  it('is resumed with another address of the same agent, which it has from then on, and with no other agent', async () => {
    const log = scratchLog();
    const open = async (agentUrl: string, named: { agentName?: string }) => {
      const config = { ...CONFIG, strategyOptions: { ...CONFIG.strategyOptions, agentUrl, ...named } };
      const { runId, logDir } = { runId: log.runId, logDir: scratchFolder() };
      const input = {
        run: { runId, logDir },
        config,
        plan: PLAN,
        maxConcurrency: 1,
        maxCostUsd: null,
        workflowId: 'w',
      };
      const facts = { label: 'service', versions: {}, temporal: null, notes: [] };
      return (await openRun(log, input, facts)).manifest.config.strategyOptions;
    };
    await open('http://a/', { agentName: 'x 1' });
    expect(await open('http://b/', { agentName: 'x 1' })).toMatchObject({ agentUrl: 'http://b/', agentName: 'x 1' });
    await expect(open('http://b/', { agentName: 'x 2' })).rejects.toThrow('agent_name: x 1, now x 2');
    await expect(open('http://c/', {})).rejects.toThrow('agent_url: http://b/, now http://c/');
  });
});

describe('paths', () => {
  it('names an episode’s file so that the name can be read back', () => {
    expect(parseEpisodeFileName(episodeFileName({ taskId: 114, trial: 3 }))).toEqual({ taskId: 114, trial: 3 });
    expect(parseEpisodeFileName('task-1.trial-0.json.tmp')).toBeNull();
  });

  it('refuses a log folder that is not local, in one sentence', () => {
    expect(resolveLogDir('results', '/home/ana')).toBe('/home/ana/results');
    expect(resolveLogDir('file:///data/logs', '/work')).toBe('/data/logs');
    expect(() => resolveLogDir('gs://bucket/runs', '/work')).toThrow('is a gs:// address: give --log-dir a folder');
  });
});
