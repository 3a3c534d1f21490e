/** The runs that the replay corpus is made of: one for each way that workflows can go. */

import type { WorkflowHandle } from '@temporalio/client';

import type { CallModel } from '../../src/models/client.ts';
import { TranscriptStore } from '../../src/models/transcripts.ts';
import { buildFork } from '../../src/results/log/fork-input.ts';
import { readReplies, startFork } from '../../src/temporal/client/forks.ts';
import { startSweep, type SweepHandle } from '../../src/temporal/client/sweeps.ts';
import type { EvaluationConfig } from '../../src/wire/config.ts';
import { episodeWorkflowId, laneWorkflowId } from '../../src/wire/names.ts';
import { nightlyWorkflowId, type NightlyInput } from '../../src/wire/nightly.ts';
import type { JudgeRunInput } from '../../src/wire/judging.ts';
import type { SweepInput } from '../../src/wire/sweep.ts';
import { WORKFLOW_VERSION } from '../../src/wire/failures.ts';
import { extend, pause, progress, resume, retry, setConcurrency, setLimits } from '../../workflows/messages.ts';
import type { nightly } from '../../workflows/nightly.ts';
import { TemporalScheduledStartTime } from '../../workflows/visibility.ts';
import {
  answerReply,
  askReply,
  commandReply,
  finishReply,
  planReply,
  summaryReply,
} from '../agents/fastworkflow/replies.ts';
import { eventually } from '../helpers/eventually.ts';
import { answering, playJudge, startJudge, writeFailures } from './judges.ts';
import {
  calling,
  failOnce,
  hang,
  overflow,
  playLines,
  quickModel,
  refuse,
  STOP,
  type Line,
  type LineFunction,
  unavailable,
} from './models.ts';
import { HUMAN_USER, say } from './people.ts';
import type { Rig, RigOptions } from './rig-on-server.ts';

export interface Recorded {
  /** Of the file. */
  readonly name: string;
  readonly handle: WorkflowHandle;
}

export interface Recording {
  readonly options: RigOptions;
  readonly run: (rig: Rig) => Promise<Recorded[]>;
}

type Recordings = Readonly<Record<string, Recording>>;

/** @param scripted calls the scripted model, for conversations as they really go */
export function recordings(scripted: CallModel): Recordings {
  return { ...episodes(scripted), ...sweeps(), ...nights(), ...judges() };
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

function sweeps(): Recordings {
  const options = { callModel: quickModel };
  return {
    'sweep-plain': { options, run: playSweep() },
    'sweep-resumed': {
      options,
      run: async (rig) => {
        await playSweep()(rig);
        return playSweep({ plan: plan(5) })(rig);
      },
    },
    'sweep-with-failures': { options: played([unavailable], ['Hi.']), run: playSweep() },
    'sweep-continued-as-new': {
      options,
      run: async (rig) => {
        const { handle } = await startSweep(
          rig.client,
          rig.sweepInput({ plan: plan(5), tuning: { continueAsNewAfter: 2 } }),
        );
        const { runId } = await handle.describe();
        const first = rig.client.workflow.getHandle(handle.workflowId, runId);
        await handle.result();
        return [
          { name: 'sweep-continued-as-new-first', handle: first },
          { name: 'sweep-continued-as-new-last', handle },
        ];
      },
    },
    'sweep-lanes': {
      options,
      run: async (rig) => {
        const root = await playSweep({ plan: plan(5), maxConcurrency: 3, tuning: { laneSize: 2 } })(rig);
        const lane = rig.client.workflow.getHandle(laneWorkflowId(rig.run.runId, 1));
        return [...root, { name: 'sweep-lanes-one', handle: lane }];
      },
    },
    'sweep-steered': steeredSweep(),
    'sweep-retried': steeredBy(async (handle) => {
      await handle.executeUpdate(pause);
      await handle.executeUpdate(retry, { args: ['failed'] });
      await handle.executeUpdate(retry, { args: [[{ taskId: 1, trial: 0 }]] });
      await handle.executeUpdate(retry, { args: [[]] }).catch(() => undefined);
      await handle.executeUpdate(resume);
    }),
    'sweep-extended': steeredBy(async (handle) => {
      await handle.executeUpdate(extend, { args: [2] });
    }),
    'sweep-limits': steeredBy(async (handle) => {
      await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 2, maxCostUsd: 0.001 }] });
      await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: -1 }] }).catch(() => undefined);
      await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: null }] });
    }),
    'sweep-lanes-steered': steeredBy(
      async (handle) => {
        await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 3, maxCostUsd: 1 }] });
        await handle.executeUpdate(extend, { args: [2] });
      },
      { tuning: { laneSize: 2 } },
    ),
    'sweep-cancelled': cancelledSweep(),
    'sweep-outage': heldSweep(unavailable, 3, () => Promise.resolve()),
    'sweep-refused-resumed': heldSweep(refuse, 2, async (handle) => {
      await paused(handle);
      await handle.executeUpdate(resume);
    }),
    'sweep-refused-cancelled': heldSweep(refuse, 2, async (handle) => {
      await paused(handle);
      await handle.cancel();
    }),
  };
}

/**
 * @param failure what the agent's first calls meet, before they are answered
 * @param steer what is asked of the sweep meanwhile
 */
function heldSweep(
  failure: () => Promise<Line>,
  count: number,
  steer: (handle: SweepHandle) => Promise<void>,
): Recording {
  let left = count;
  return {
    options: {
      callModel: async (request, options) => {
        if (request.tools !== undefined && left-- > 0) await failure();
        return await quickModel(request, options);
      },
    },
    run: async (rig) => {
      const config = rig.config({ outageTimeoutMs: 3_600_000 });
      const tuning = { holdMs: { first: 50, last: 200 } };
      const { handle } = await startSweep(rig.client, rig.sweepInput({ config, tuning }));
      await steer(handle);
      await settled(handle);
      const episode = rig.client.workflow.getHandle(episodeWorkflowId(rig.run.runId, { taskId: 0, trial: 0 }));
      return [
        { name: rig.run.runId, handle },
        { name: `${rig.run.runId}-episode`, handle: episode },
      ];
    },
  };
}

function nights(): Recordings {
  return {
    nightly: { options: { callModel: quickModel }, run: playNight() },
    // Infrastructure ends every episode, and somebody is told.
    'nightly-unfinished': {
      options: { ...played([unavailable], ['Hi.']), deps: { alerts: { env: {}, commands: true } } },
      run: playNight({ unfinished: { kind: 'command', command: 'true' } }),
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
    const first = rig.client.workflow.getHandle(handle.workflowId, runId);
    const isContinued = (await first.describe()).status.name === 'CONTINUED_AS_NEW';
    return [
      ...(isContinued ? [{ name: `${rig.run.runId}-first`, handle: first }] : []),
      { name: rig.run.runId, handle },
    ];
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

function played(agent: Line[], user: Line[]): RigOptions {
  return { callModel: playLines({ agent, user }).callModel };
}

const plan = (count: number) => ({
  taskIds: Array.from({ length: count }, (_, id) => id),
  numTrials: 1,
  shuffle: false,
});

function playEpisode(config: Partial<EvaluationConfig> = {}, taskId = 0): Recording['run'] {
  return async (rig) => {
    const handle = await rig.startEpisode(rig.episodeInput({ taskId }, config));
    await settled(handle);
    return [{ name: rig.run.runId, handle }];
  };
}

function playSweep(changes: Partial<SweepInput> = {}): Recording['run'] {
  return async (rig) => {
    const { handle } = await startSweep(rig.client, rig.sweepInput(changes));
    await settled(handle);
    return [{ name: rig.run.runId, handle }];
  };
}

/** As a schedule starts it, at a time of its own. */
function playNight(alerts: NightlyInput['alerts'] = {}): Recording['run'] {
  return async (rig) => {
    const { runId: schedule, logDir } = rig.run;
    const handle = await rig.client.workflow.start<typeof nightly>('nightly', {
      workflowId: nightlyWorkflowId(schedule),
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

function cancelledSweep(): Recording {
  const { line, called } = watched(hang);
  return {
    options: played([line], ['Hi.']),
    run: async (rig) => {
      const { handle } = await startSweep(rig.client, rig.sweepInput());
      await called;
      await handle.cancel();
      await settled(handle);
      const episode = rig.client.workflow.getHandle(episodeWorkflowId(rig.run.runId, { taskId: 0, trial: 0 }));
      return [
        { name: rig.run.runId, handle },
        { name: `${rig.run.runId}-episode`, handle: episode },
      ];
    },
  };
}

function steeredSweep(): Recording {
  return steeredBy(async (handle, release) => {
    await handle.executeUpdate(pause);
    await handle.executeUpdate(setConcurrency, { args: [0] }).catch(() => undefined);
    await handle.executeUpdate(setConcurrency, { args: [2] });
    release();
    await handle.executeUpdate(resume);
  });
}

/**
 * @param steer what is asked of a sweep while its first episode is held at its agent's first call, which goes on when
 * `release` is called or when all was asked
 */
function steeredBy(
  steer: (handle: SweepHandle, release: () => void) => Promise<void>,
  changes: Partial<SweepInput> = {},
): Recording {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { line, called } = watched(async () => {
    await released;
    return 'Hello, done.';
  });
  return {
    options: { callModel: playLines({ agent: [line], user: ['Hi.', STOP] }).callModel },
    run: async (rig) => {
      const { handle } = await startSweep(rig.client, rig.sweepInput({ maxConcurrency: 1, ...changes }));
      const { runId } = await handle.describe();
      await called;
      await steer(handle, release);
      release();
      await settled(handle);
      const first = rig.client.workflow.getHandle(handle.workflowId, runId);
      const isContinued = (await first.describe()).status.name === 'CONTINUED_AS_NEW';
      return [
        ...(isContinued ? [{ name: `${rig.run.runId}-first`, handle: first }] : []),
        { name: rig.run.runId, handle },
      ];
    },
  };
}

async function paused(handle: SweepHandle): Promise<void> {
  await eventually(async () => {
    const { pausedFor = null } = await handle.query(progress);
    if (pausedFor === null) throw new Error('the sweep has not paused itself');
  });
}

/** A line, and a promise that settles when it is first asked for. */
function watched(line: LineFunction): { readonly line: Line; readonly called: Promise<void> } {
  let call: () => void = () => undefined;
  const called = new Promise<void>((resolve) => (call = resolve));
  return {
    line: (request, signal) => {
      call();
      return line(request, signal);
    },
    called,
  };
}

/** However it ends: the corpus has failures too. */
async function settled(handle: WorkflowHandle): Promise<void> {
  await handle.result().catch(() => undefined);
}
