import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { createRunLogActivities } from '../../activities/testing.ts';
import { findStrategy } from '../../src/agents/index.ts';
import { EnvironmentServiceError, type PackRef } from '../../src/benchmarks/packs/index.ts';
import { buildEpisodeRecord, watchOpenEpisodes } from '../../src/run-log/index.ts';
import { createRunFolders } from '../../src/run-log/store/index.ts';
import { CONTEXT, recordInput, scratchLog } from '../results/fixtures.ts';
import { INFO, depsFor } from './complete-rig.ts';

it('the record of an episode that its service refused to start needs no prompts', async () => {
  const log = scratchLog();
  const base = depsFor({});
  const refuse = () => Promise.reject(new EnvironmentServiceError('refused', 'the service answered "start" with 400'));
  const findPack = async (ref: PackRef) => {
    const pack = await base.findPack(ref);
    return pack && { ...pack, environment: { service: {} as never, domain: {} as never, taskPack: refuse } };
  };
  const deps = { ...base, findPack, findStrategy, versions: {}, warn: () => undefined };
  const folders = createRunFolders(deps);
  const { record } = createRunLogActivities(deps, folders, watchOpenEpisodes({ ...deps, findLog: folders.find }));
  const run = { runId: log.runId, logDir: log.logDir };
  const refused = recordInput({ run, episode: { taskId: 0, trial: 0 }, steps: [] });
  await new MockActivityEnvironment(INFO).run(record, refused);
  expect(await log.readEpisode(refused.episode)).toMatchObject({ trajectory: [] });
});

describe('the summary of a recorded episode', () => {
  it('is of the workflow run that is asked for, or of any', async () => {
    const log = scratchLog();
    const record = buildEpisodeRecord(recordInput(), CONTEXT);
    await log.writeEpisode(record);
    const deps = { ...depsFor({}), findStrategy, versions: {}, warn: () => undefined };
    const folders = createRunFolders(deps);
    const { summarize } = createRunLogActivities(deps, folders, watchOpenEpisodes({ ...deps, findLog: folders.find }));
    const run = { runId: log.runId, logDir: log.logDir };
    const ask = (workflowRunId: string | null, trial = record.trial) =>
      new MockActivityEnvironment(INFO).run(summarize, {
        run,
        episode: { taskId: record.taskId, trial },
        workflowRunId,
      });
    expect(await ask(record.workflowRunId)).toMatchObject({ reward: record.reward });
    expect(await ask(null)).toMatchObject({ reward: record.reward });
    expect(await ask('another')).toBeNull();
    expect(await ask(null, record.trial + 1)).toBeNull();
  });
});
