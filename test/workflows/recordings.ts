/** The runs that the replay corpus is made of: one for each way that workflows can go. */

import type { Pack } from '../../src/benchmarks/testing.ts';
import { TranscriptStore, type CallModel } from '../../src/models/index.ts';
import { buildFork } from '../../src/run-log/index.ts';
import { readReplies, startFork } from '../../src/temporal/client/index.ts';
import { scheduleWorkflowId } from '../../src/temporal/client/testing.ts';
import {
  WORKFLOW_VERSION,
  type EpisodeKey,
  type EvaluationConfig,
  type ScheduledRunInput,
  type JudgeRunInput,
} from '../../src/evaluation/index.ts';
import { TemporalScheduledStartTime, type scheduledRun } from '../../workflows/client.ts';
import {
  answerReply,
  askReply,
  commandReply,
  finishReply,
  planReply,
  summaryReply,
} from '../agents/fastworkflow/replies.ts';
import { agents } from './agent-recordings.ts';
import { answering, playJudge, startJudge, writeFailures } from './judges.ts';
import { calling, failOnce, hang, overflow, playLines, quickModel, refuse, STOP, unavailable } from './models.ts';
import { HUMAN_USER, say } from './people.ts';
import { played, settled, watched, withFirst, type Recording, type Recordings } from './recording.ts';
import { sweeps } from './sweep-recordings.ts';

/**
 * @param scripted calls the scripted model, for conversations as they really go
 * @param withUserTools a pack whose users have tools
 */
export function recordings(scripted: CallModel, withUserTools: Pack): Recordings {
  return { ...episodes(scripted), ...agents(scripted, withUserTools), ...sweeps(), ...scheduledRuns(), ...judges() };
}

const LOOK_UP_COMMAND = 'get_order_details <order_id>#W5053173</order_id>';
const lookUp = calling(['get_order_details', { order_id: '#W5053173' }]);

function episodes(scripted: CallModel): Recordings {
  const talk = { agent: [lookUp, 'Found it.', 'Bye.'], user: ['Hi.', 'Good.', STOP] };
  const forgetful = new TranscriptStore();
  const resolve = forgetful.resolve.bind(forgetful);
  forgetful.resolve = (key, delta) => (delta.keep === 0 ? resolve(key, delta) : undefined);
  return {
    // Task 6 has two writes and a calculation, task 2 an output.
    'episode-tool-calling': { options: { callModel: scripted }, run: playEpisode({}, 6) },
    'episode-tool-errors': {
      options: { callModel: scripted },
      run: playEpisode({ conditions: [{ name: 'tool-errors', rate: 0.5 }] }, { taskId: 6, condition: 'tool-errors' }),
    },
    'episode-slow-tools': {
      options: { callModel: scripted },
      run: playEpisode({ conditions: [{ name: 'slow-tools' }] }, { taskId: 6, condition: 'slow-tools' }),
    },
    'episode-fastworkflow': { options: { callModel: scripted }, run: playEpisode({ strategy: 'fastworkflow' }, 2) },
    'episode-fastworkflow-handover': {
      options: { callModel: scripted },
      run: playEpisode({ strategy: 'fastworkflow' }, 15),
    },
    'episode-fastworkflow-question': {
      options: played(
        [
          planReply(),
          commandReply(LOOK_UP_COMMAND),
          askReply('Really?'),
          planReply('1. Say good-bye.'),
          finishReply(),
          answerReply('I looked it up.'),
          summaryReply(),
          planReply('1. Say good-bye.'),
          finishReply(),
          answerReply('Bye.'),
        ],
        ['Hi.', 'Yes, really.', 'Thanks!', STOP],
      ),
      run: playEpisode({ strategy: 'fastworkflow' }),
    },
    'episode-fastworkflow-natural': {
      options: { callModel: scripted },
      run: playEpisode(
        { strategy: 'fastworkflow', agentModel: { provider: 'scripted', model: 'oracle+natural', temperature: 0 } },
        6,
      ),
    },
    'episode-fastworkflow-overflow': {
      options: played(
        [
          planReply(),
          ...Array.from({ length: 4 }, () => commandReply(LOOK_UP_COMMAND)),
          overflow,
          finishReply(),
          answerReply('I looked it up.'),
        ],
        ['Hi.', STOP],
      ),
      run: playEpisode({ strategy: 'fastworkflow' }),
    },
    'episode-decision-only': {
      options: { callModel: scripted },
      run: playEpisode(
        { strategy: 'fastworkflow', strategyOptions: { omitPolicy: false, useReasoning: true, decisionOnly: true } },
        2,
      ),
    },
    'episode-fork': {
      options: { callModel: scripted },
      run: async (rig) => {
        const [origin] = await playEpisode({ strategy: 'fastworkflow' }, 6)(rig);
        const key = { taskId: 6, trial: 0 };
        const record = await rig.log.readEpisode(key);
        if (origin === undefined || record === null) throw new Error('there is nothing to fork');
        const { workflowId, workflowRunId } = record;
        const replies = (await readReplies(rig.client, { workflowId, workflowRunId })) ?? [];
        const request = { name: 'fork-1', atStep: 4, strategy: 'fastworkflow', changes: [], observation: 'Odd.' };
        const input = rig.episodeInput(key, { strategy: 'fastworkflow' });
        const fork = buildFork(record, replies, request);
        const handle = await startFork(rig.client, { ...input, version: WORKFLOW_VERSION, fork });
        if (handle === null) throw new Error('there is a fork of that name');
        await settled(handle);
        return [{ name: rig.run.runId, handle }];
      },
    },
    'episode-retried-call': {
      options: played([failOnce('Hello.')], ['Hi.', STOP]),
      run: playEpisode(),
    },
    'episode-agent-error': {
      options: played([lookUp, calling(['calculate', '{"expression": '])], ['Hi.']),
      run: playEpisode(),
    },
    'episode-max-steps': { options: played([lookUp, 'And?'], ['Hi.', 'Yes.']), run: playEpisode({ maxSteps: 3 }) },
    'episode-refused': { options: played([unavailable], ['Hi.']), run: playEpisode() },
    'episode-deadline': { options: played([hang], ['Hi.']), run: playEpisode({ episodeTimeoutMs: 1_000 }) },
    'episode-cancelled': cancelledEpisode(),
    'episode-human': {
      options: played([lookUp, 'Found it. Anything else?'], []),
      run: async (rig) => {
        const handle = await rig.startEpisode(rig.episodeInput({}, HUMAN_USER));
        await say(handle, 1, 'Hi.');
        await say(handle, 2, 'No.');
        await say(handle, 3, STOP);
        await settled(handle);
        return [{ name: rig.run.runId, handle }];
      },
    },
    'episode-transcript-missing': {
      options: { callModel: playLines(talk).callModel, deps: { transcripts: forgetful } },
      run: playEpisode(),
    },
  };
}

function scheduledRuns(): Recordings {
  return {
    'scheduled-run': { options: { callModel: quickModel }, run: playScheduledRun() },
    // Infrastructure ends every episode, and somebody is told.
    'scheduled-run-unfinished': {
      options: { ...played([unavailable], ['Hi.']), deps: { alerts: { env: {}, commands: true } } },
      run: playScheduledRun({ unfinished: { kind: 'command', command: 'true' } }),
    },
  };
}

function judges(): Recordings {
  const options = { callModel: playJudge(({ taskId }) => answering(taskId === 1 ? 'A' : 'B')).callModel };
  return {
    errors: { options, run: judgeFailures(3) },
    // Nobody can read what it says; then its provider refuses.
    'errors-unread': { options: { callModel: playJudge(() => 'No.').callModel }, run: judgeFailures(2) },
    'errors-halted': { options: { callModel: playJudge(() => refuse).callModel }, run: judgeFailures(3) },
    'errors-continued-as-new': { options, run: judgeFailures(5, { tuning: { page: 2 } }) },
    'errors-cancelled': cancelledJudge(),
  };
}

function judgeFailures(failures: number, changes: Partial<JudgeRunInput> = {}): Recording['run'] {
  return async (rig) => {
    await writeFailures(rig.run, failures);
    const handle = await startJudge(rig, changes);
    const { runId } = await handle.describe();
    await settled(handle);
    return withFirst(rig, handle, runId);
  };
}

function cancelledJudge(): Recording {
  const { line, called } = watched(hang);
  return {
    options: { callModel: playJudge(() => line).callModel },
    run: async (rig) => {
      await writeFailures(rig.run, 2);
      const handle = await startJudge(rig);
      await called;
      await handle.cancel();
      await settled(handle);
      return [{ name: rig.run.runId, handle }];
    },
  };
}

function playEpisode(config: Partial<EvaluationConfig> = {}, task: number | Partial<EpisodeKey> = 0): Recording['run'] {
  return async (rig) => {
    const key = typeof task === 'number' ? { taskId: task } : task;
    const handle = await rig.startEpisode(rig.episodeInput(key, config));
    await settled(handle);
    return [{ name: rig.run.runId, handle }];
  };
}

/** A run as a schedule starts it, at a time of its own. */
function playScheduledRun(alerts: ScheduledRunInput['alerts'] = {}): Recording['run'] {
  return async (rig) => {
    const { runId: schedule, logDir } = rig.run;
    const handle = await rig.client.workflow.start<typeof scheduledRun>('scheduled-run', {
      workflowId: scheduleWorkflowId(schedule),
      taskQueue: rig.queues.main,
      args: [{ schedule, logDir, sweep: rig.sweepInput(), alerts, version: WORKFLOW_VERSION }],
      typedSearchAttributes: [{ key: TemporalScheduledStartTime, value: new Date('2026-01-01T02:00:00Z') }],
    });
    await settled(handle);
    return [{ name: schedule, handle }];
  };
}

function cancelledEpisode(): Recording {
  const { line, called } = watched(hang);
  return {
    options: played([line], ['Hi.']),
    run: async (rig) => {
      const handle = await rig.startEpisode(rig.episodeInput());
      await called;
      await handle.cancel();
      await settled(handle);
      return [{ name: rig.run.runId, handle }];
    },
  };
}
