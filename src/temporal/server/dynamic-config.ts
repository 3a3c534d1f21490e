/**
 * Settings of a dev server for which it has no flags: dynamic configuration, for the versions that know each setting.
 */

/**
 * Time between two checkpoints of each of the server's queues. A queue stores finished tasks until the next checkpoint.
 * Once a checkpoint has found waiting tasks, each poll copies their list. The server's default is 30 s.
 */
const CHECKPOINT_INTERVAL = '500ms';

/** Fewest workflows in the server's cache, because later commands on the same server may open more episodes. */
const CACHED_WORKFLOWS = 1_200;

interface Setting {
  readonly key: string;
  readonly value: string | number | boolean;
  /** First server version with the setting. @default the oldest supported version */
  readonly since?: string;
}

/** @param maxConcurrency number of episodes that the command opens at once */
function settings(maxConcurrency: number): readonly Setting[] {
  return [
    // Queues of work that is due at once are polled 1,000 instead of 20 times a second.
    { key: 'history.transferProcessorMaxPollRPS', value: 1000 },
    { key: 'history.visibilityProcessorMaxPollRPS', value: 1000 },
    // Sweeps take turns at model calls by fairness, which works only within one partition.
    { key: 'matching.numTaskqueueReadPartitions', value: 1 },
    { key: 'matching.numTaskqueueWritePartitions', value: 1 },
    { key: 'matching.enableFairness', value: true, since: '1.29.0' },
    // By default the server reads its search attributes again 30 times per episode, so that a new one can be used at
    // once. This server gets them when it is created; later ones can be used after 2 s.
    { key: 'system.forceSearchAttributesCacheRefreshOnRead', value: false },
    { key: 'system.enableActivityEagerExecution', value: true },
    // The defaults are 128,000 workflows, including ended ones, and 8 MB of events for other clusters, of which there
    // are none.
    { key: 'history.hostLevelCacheMaxSize', value: Math.max(CACHED_WORKFLOWS, 2 * maxConcurrency) },
    { key: 'history.xdcCacheMaxSizeBytes', value: 0 },
    { key: 'history.transferProcessorUpdateAckInterval', value: CHECKPOINT_INTERVAL },
    { key: 'history.timerProcessorUpdateAckInterval', value: CHECKPOINT_INTERVAL },
    { key: 'history.visibilityProcessorUpdateAckInterval', value: CHECKPOINT_INTERVAL },
    // Timers that the server reads at once, by default 100. An episode leaves 45 behind, nearly all of them timeouts
    // that have no effect when they are due. The server reads those of the next second, 20 times a second at most.
    { key: 'history.timerTaskBatchSize', value: 1000 },
    // Number of reads of the same second's timers after which the server splits its queue, because they seem to hold up
    // later ones; 0: never. A race in the server wakes it needlessly dozens of times a second, so it split its queue 25
    // times a second.
    { key: 'history.queueReaderStuckCriticalAttempts', value: 0 },
  ];
}

/** Returns flags of `temporal server start-dev` for the settings that a server of this version knows. */
export function dynamicConfigFlags(serverVersion: string, maxConcurrency: number): string[] {
  return settings(maxConcurrency).flatMap(({ key, value, since }) =>
    since !== undefined && compareVersions(serverVersion, since) < 0
      ? []
      : ['--dynamic-config-value', `${key}=${JSON.stringify(value)}`],
  );
}

/** Compares two versions such as `1.29.1`. @returns below 0 if the first is older, 0 if they are equal */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10));
  const others = parts(b);
  const differences = parts(a).map((part, at) => part - (others[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
