/**
 * The activities as workflows call them: one proxy per class of work, with the options of that class.
 *
 * - Quick and pure (`step`, `grade`): a short start-to-close timeout makes a dead worker noticed.
 * - Model calls (`complete`, `judge`): their own task queue per provider, and heartbeats; the activity itself decides
 * when an API failure is final.
 * - One episode's record: a small file, tried for about an hour.
 * - A whole run log: as long as it takes to read thousands of records, with heartbeats to notice a dead worker.
 *
 * The number of attempts is limited, but not the time until the first one: a run without workers waits for one, for
 * days if need be. A run also waits if no worker has its pack or sees its folder, which is why the activities count
 * their attempts themselves (`activities/attempts.ts`).
 */

import { proxyActivities, setCurrentDetails, type ActivityOptions } from '@temporalio/workflow';
import { serviceOptions } from '../src/agents/index.ts';
import { REQUEST_TIMEOUT_S } from '../src/benchmarks/pure.ts';
import {
  AGENT_SERVICE,
  CALL_SLACK_MS,
  fairnessKey,
  llmQueue,
  getSetting,
  type EvaluationConfig,
  type TaskQueues,
} from '../src/evaluation/index.ts';
import type { Display, EpisodeActivities, EpisodeInput } from '../src/episode/index.ts';
import type { Activities, SweepActivities } from '../src/orchestration/index.ts';

/** Time without a heartbeat after which the worker of a model call counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 30_000;

const COMPLETE_OPTIONS = {
  // The default lets the workflow move on while a paid request runs on.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} as const satisfies ActivityOptions;

type ModelCalls = Pick<Activities, 'complete' | 'forward' | 'judge'>;

/** Returns activities for model calls of one provider, each attempt with its own deadline. */
export function proxyModelCalls(queues: TaskQueues, provider: string, config: Pick<EvaluationConfig, 'callTimeoutMs'>) {
  return proxyActivities<ModelCalls>({
    ...COMPLETE_OPTIONS,
    startToCloseTimeout: getSetting(config, 'callTimeoutMs') + CALL_SLACK_MS,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    taskQueue: llmQueue(queues, provider),
  });
}

/**
 * Requests to an agent service. They have their own queue, so that they never wait behind the calls that they cause.
 */
function proxyAgentTurn({ queues, config }: EpisodeInput) {
  return proxyActivities<Pick<Activities, 'agentTurn'>>({
    ...COMPLETE_OPTIONS,
    startToCloseTimeout: serviceOptions(config.strategyOptions).requestTimeout * 1_000 + CALL_SLACK_MS,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    taskQueue: llmQueue(queues, AGENT_SERVICE),
  }).agentTurn;
}

const environment = proxyActivities<Pick<Activities, 'start' | 'step' | 'grade'>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds' },
});

/** Requests to an environment service, which may take long; the activity decides when a failure is final. */
function proxyService({ requestTimeout = REQUEST_TIMEOUT_S }: NonNullable<EvaluationConfig['pack']['environment']>) {
  return proxyActivities<Pick<Activities, 'start' | 'step' | 'grade'>>({
    ...COMPLETE_OPTIONS,
    startToCloseTimeout: (requestTimeout + 60) * 1_000,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  });
}

const episodeLog = proxyActivities<Pick<Activities, 'record'>>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumInterval: '1 minute' },
});

/** Returns the activities of an episode, each on its queue. */
export function episodeActivities(input: EpisodeInput): EpisodeActivities {
  const { run, config, queues } = input;
  const priority = { fairnessKey: fairnessKey(run.runId) };
  const { environment: service } = config.pack;
  const stepping = service === undefined ? environment : proxyService(service);
  return {
    complete: (summary, call) =>
      proxyModelCalls(queues, call.model.provider, config).complete.executeWithOptions({ summary, priority }, [call]),
    forward: (summary, call) =>
      proxyModelCalls(queues, call.model.provider, config).forward.executeWithOptions({ summary, priority }, [call]),
    agentTurn: (summary, turn) => proxyAgentTurn(input).executeWithOptions({ summary }, [turn]),
    start: (summary, started) => stepping.start.executeWithOptions({ summary }, [started]),
    step: (summary, step) => stepping.step.executeWithOptions({ summary }, [step]),
    grade: (summary, graded) => stepping.grade.executeWithOptions({ summary }, [graded]),
    record: (summary, record) => episodeLog.record.executeWithOptions({ summary }, [record]),
  };
}

export const display: Display = { now: () => Date.now(), show: (markdown) => setCurrentDetails(markdown) };

export const runLog = proxyActivities<
  Pick<Activities, 'openRun' | 'findRecorded' | 'sumRecorded' | 'summarize' | 'supersede' | 'closeRun' | 'compareRuns'>
>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumInterval: '1 minute' },
});

/** Ends and records, from outside, episodes that cannot end themselves. */
const episodes = proxyActivities<Pick<Activities, 'endStuckEpisodes' | 'recordLost'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumInterval: '1 minute' },
});

export const sweepActivities: SweepActivities = {
  openRun: (summary, run) => runLog.openRun.executeWithOptions({ summary }, [run]),
  findRecorded: (summary, asked) => runLog.findRecorded.executeWithOptions({ summary }, [asked]),
  sumRecorded: (summary, asked) => runLog.sumRecorded.executeWithOptions({ summary }, [asked]),
  summarize: (summary, asked) => runLog.summarize.executeWithOptions({ summary }, [asked]),
  archive: (summary, asked) => runLog.supersede.executeWithOptions({ summary }, [asked]),
  closeRun: (summary, run) => runLog.closeRun.executeWithOptions({ summary }, [run]),
  endStuckEpisodes: (summary, asked) => episodes.endStuckEpisodes.executeWithOptions({ summary }, [asked]),
  recordLost: (summary, lost) => episodes.recordLost.executeWithOptions({ summary }, [lost]),
};

/** Failed episodes and answers of the judge; like {@link runLog} it may read a whole run log. */
export const verdictLog = proxyActivities<Pick<Activities, 'findFailures' | 'recordVerdict' | 'closeErrors'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumInterval: '1 minute' },
});

/** Alerts of scheduled runs: long enough for a service to come back, and for another worker to be started. */
export const alerts = proxyActivities<Pick<Activities, 'alert'>>({
  startToCloseTimeout: '6 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 3, maximumInterval: '5 minutes' },
});
