import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { createRunLogActivities } from '../../activities/testing.ts';
import { findStrategy } from '../../src/agents/index.ts';
import { buildEpisodeRecord, watchOpenEpisodes } from '../../src/run-log/index.ts';
import { createRunFolders } from '../../src/run-log/store/index.ts';
import { CONTEXT, recordInput, scratchLog } from '../results/fixtures.ts';
import { INFO, depsFor } from './complete-rig.ts';

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
