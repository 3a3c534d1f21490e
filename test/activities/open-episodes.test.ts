/** Lines that `complete` and `step` write into the run log, by workers that see its folder and by others. */

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import {
  createCompleteActivity,
  createEnvironmentActivities,
  createRunLogActivities,
} from '../../activities/testing.ts';
import { findStrategy } from '../../src/agents/index.ts';
import { OpenEpisodeReader, readRequests, watchOpenEpisodes, type RunLog } from '../../src/run-log/index.ts';
import { createRunFolders, type RunFolderDeps } from '../../src/run-log/store/index.ts';
import { makeOpenFolders } from '../../src/run-log/testing.ts';
import type { CompleteInput } from '../../src/episode/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { KEY, answerError, answerJson, completion, openaiEnv } from '../models/helpers.ts';
import { CONFIG, scratchLog } from '../results/fixtures.ts';
import { INFO, depsFor, inputWith, pack, serve, watchedLogger } from './complete-rig.ts';

const KEY_OF_EPISODE = { taskId: 0, trial: 0 };

interface Worker {
  readonly warnings: readonly string[];
  complete(input: Partial<CompleteInput>, info?: Partial<Info>): Promise<unknown>;
  step(logDir: string | undefined, info?: Partial<Info>): Promise<unknown>;
}

/** A worker with a provider that refuses once, and then replies. */
async function startWorker(folderDeps: Partial<RunFolderDeps> = {}): Promise<Worker> {
  const refusal = answerError(401, { message: `Incorrect API key provided: ${KEY}` });
  const call = { id: 'c', type: 'function', function: { name: 'look_up', arguments: '{"id": 1}' } };
  const provider = await serve(refusal, answerJson(completion({ content: 'Hello.', tool_calls: [call] })));
  const warnings: string[] = [];
  const warn = (sentence: string): void => void warnings.push(sentence);
  const watch = watchOpenEpisodes({ warn, lineDelayMs: 0, findLog: createRunFolders({ warn, ...folderDeps }).find });
  const deps = depsFor(openaiEnv(provider));
  const complete = createCompleteActivity(deps, watch);
  const { step } = createEnvironmentActivities(deps, watch);
  const environment = (info: Partial<Info>) =>
    new MockActivityEnvironment({ ...INFO, workflowExecution: WORKFLOW, ...info }, { logger: watchedLogger() });
  return {
    warnings,
    complete: (input, info = {}) =>
      environment(info)
        .run(complete, inputWith(input))
        .catch((error: unknown) => error),
    step: (logDir, info = {}) => {
      const action = { name: 'calculate', kwargsJson: '{"expression": "1 + 1"}' };
      return environment({ activityId: '6', ...info }).run(step, {
        ...{ pack: pack.ref, writes: [], action },
        ...(logDir === undefined ? {} : { logDir }),
      });
    },
  };
}

const WORKFLOW = { workflowId: 'run-1/task-0/trial-0', runId: 'first' };

async function openLog(): Promise<RunLog> {
  const log = scratchLog('run-1');
  await makeOpenFolders(log.paths, { keepRequests: true });
  return log;
}

function lines(log: RunLog, count: number) {
  return eventually(async () => {
    const read = await new OpenEpisodeReader(log.paths, KEY_OF_EPISODE).read();
    expect(read).toHaveLength(count);
    return read;
  });
}

describe('the lines of an open episode', () => {
  it('have replies with their cost, and steps with what they showed', async () => {
    const log = await openLog();
    const { logDir } = log;
    const worker = await startWorker();
    await worker.complete({ logDir });
    await worker.complete({ logDir });
    await lines(log, 1);
    await worker.step(logDir);
    expect(await lines(log, 2)).toMatchObject([
      { activityId: '5', role: 'agent', tool: null, text: 'Hello.', costUsd: 0.003 },
      { activityId: '6', role: null, tool: 'calculate', text: '{"expression": "1 + 1"}', costUsd: 0 },
    ]);
    expect(worker.warnings).toEqual([]);
  });

  it('are not made where nobody asks for them, of forks, and in folders that are not the worker’s', async () => {
    const log = await openLog();
    const { logDir } = log;
    const worker = await startWorker();
    await worker.step(undefined);
    await worker.step(logDir, { workflowExecution: { workflowId: 'run-1/task-0/trial-0/fork-1', runId: 'x' } });
    await worker.step(logDir, { workflowExecution: { workflowId: 'another program', runId: 'x' } });
    await worker.step('results');
    const restricted = await startWorker({ logDirs: [path.join(logDir, 'elsewhere')] });
    await restricted.step(logDir);
    // By now the ones before would have been made.
    await worker.step(logDir);
    await lines(log, 1);
    expect(readdirSync(log.paths.open)).toEqual(['task-0.trial-0.jsonl']);
    expect([...worker.warnings, ...restricted.warnings]).toEqual([]);
  });

  it('never lead out of the log folder', async () => {
    const log = await openLog();
    const worker = await startWorker();
    mkdirSync(path.join(log.logDir, 'open'));
    const workflowExecution = { workflowId: '../task-0/trial-0', runId: 'x' };
    expect(await worker.step(path.join(log.logDir, 'run-1'), { workflowExecution })).toMatchObject({
      source: 'calculate',
    });
    expect(readdirSync(path.join(log.logDir, 'open'))).toEqual([]);
  });

  it('are missing on another disk without a word, and warned of once where they cannot be written', async () => {
    const log = await openLog();
    const { logDir } = log;
    const worker = await startWorker();
    rmSync(log.paths.open, { recursive: true });
    expect(await worker.step(logDir)).toMatchObject({ observation: expect.any(String) as string });
    writeFileSync(log.paths.open, 'in the way');
    await worker.step(logDir);
    await worker.step(logDir);
    const warning = expect.stringMatching(/cannot be watched meanwhile: .+ folder/) as string;
    await eventually(() => Promise.resolve(expect(worker.warnings).toEqual([warning])));
  });
});

describe('the lines of open episodes', () => {
  it('take no more memory than some where the disk does not answer', async () => {
    const log = await openLog();
    let answer = (_: RunLog): void => undefined;
    const found = new Promise<RunLog>((resolve) => (answer = resolve));
    const watch = watchOpenEpisodes({ warn: () => undefined, lineDelayMs: 0, findLog: () => found });
    const writer = { activityId: '5', workflowExecution: WORKFLOW };
    const observation = 'x'.repeat(9_000_000);
    const input = { pack: pack.ref, writes: [], action: { name: 'calculate', kwargsJson: '{}' }, logDir: log.logDir };
    for (let i = 0; i < 10; i++) watch.step(writer, input, { observation, source: '', done: false, changed: false });
    answer(log);
    const file = path.join(log.paths.open, 'task-0.trial-0.jsonl');
    await eventually(() => Promise.resolve(expect(readFileSync(file, 'utf8').match(/\n/g)).toHaveLength(7)));
  });

  it('are written some time later, and not at all where the episode has its record by then', async () => {
    const log = await openLog();
    const warn = () => undefined;
    const watch = watchOpenEpisodes({ warn, lineDelayMs: 20, findLog: createRunFolders({ warn }).find });
    const writer = (trial: number) => ({
      activityId: '5',
      workflowExecution: { workflowId: `run-1/task-0/trial-${trial}`, runId: 'first' },
    });
    const step = (trial: number): void => {
      const input = { pack: pack.ref, writes: [], action: { name: 'calculate', kwargsJson: '{}' }, logDir: log.logDir };
      watch.step(writer(trial), input, { observation: '2', source: '', done: false, changed: false });
    };
    step(1);
    watch.recorded(writer(1), log.logDir);
    step(0);
    step(0);
    expect(readdirSync(log.paths.open)).toEqual([]);
    const file = path.join(log.paths.open, 'task-0.trial-0.jsonl');
    await eventually(() => Promise.resolve(expect(readFileSync(file, 'utf8').match(/\n/g)).toHaveLength(2)));
    expect(readdirSync(log.paths.open)).toEqual(['task-0.trial-0.jsonl']);
  });

  it('go when another sweep opens the run, and stay when the same one has more to do', async () => {
    const log = await openLog();
    const deps = { ...depsFor({}), findStrategy, versions: {}, warn: () => undefined };
    const folders = createRunFolders(deps);
    const { openRun } = createRunLogActivities(deps, folders, watchOpenEpisodes({ ...deps, findLog: folders.find }));
    const file = path.join(log.paths.open, 'task-0.trial-0.jsonl');
    writeFileSync(file, '{}');
    const plan = { taskIds: [0], numTrials: 1, shuffle: false };
    const run = { runId: log.runId, logDir: log.logDir };
    const input = { run, config: CONFIG, plan, maxConcurrency: 1, maxCostUsd: null, workflowId: log.runId };
    const environment = new MockActivityEnvironment({ ...INFO, workflowExecution: WORKFLOW });
    await environment.run(openRun, { ...input, plan: { ...plan, numTrials: 2 }, isUnderWay: true } as const);
    expect(readdirSync(log.paths.open)).toEqual(['task-0.trial-0.jsonl']);
    await environment.run(openRun, input);
    expect(readdirSync(log.paths.open)).toEqual([]);
  });
});

describe('--keep-requests', () => {
  it('keeps the bodies of every attempt, and no key that a provider quotes', async () => {
    const log = await openLog();
    const { logDir } = log;
    const worker = await startWorker();
    await worker.complete({ logDir, keepRequests: true });
    await worker.complete({ logDir, keepRequests: true });
    const kept = await eventually(async () => {
      const read = await readRequests(log.paths, KEY_OF_EPISODE);
      expect(read).toHaveLength(2);
      return read;
    });
    expect(kept).toMatchObject([
      { call: 'agent 5', role: 'agent', workflowRunId: 'first', status: 401 },
      { call: 'agent 5', role: 'agent', workflowRunId: 'first', status: 200 },
    ]);
    expect(kept[0]?.reply).toContain('Incorrect API key provided: [redacted]');
    expect(JSON.parse(kept[1]?.request ?? '')).toMatchObject({ model: 'gpt-4o', messages: [{}, {}] });
    const file = readFileSync(path.join(log.paths.requests, 'task-0.trial-0.jsonl'), 'utf8');
    expect(file).not.toContain(KEY.slice(0, 12));
    expect(file).not.toMatch(/authorization|user-agent|idempotency/i);
  });

  it('keeps nothing where the run does not ask for it', async () => {
    const log = await openLog();
    const { logDir } = log;
    const worker = await startWorker();
    await worker.complete({ logDir });
    await worker.complete({ logDir });
    await lines(log, 1);
    expect(readdirSync(log.paths.requests)).toEqual([]);
  });
});
