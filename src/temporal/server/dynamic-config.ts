/** Settings of a dev server that its flags do not have: the dynamic configuration, for versions that know each. */

/**
 * Time between two checkpoints of each of the server's queues. Until the next one a queue keeps the tasks that it has
 * done, and once a checkpoint has found tasks that wait, it copies the list of them at each poll. The server's default is
 * 30 s.
 */
const CHECKPOINT_INTERVAL = '500ms';

/** Least number of workflows in the server's cache; later commands on the same server may open more episodes. */
const CACHED_WORKFLOWS = 1_200;

interface Setting {
  readonly key: string;
  readonly value: string | number | boolean;
  /** First server version with the setting. @default all that Tauflow accepts */
  readonly since?: string;
}

/** @param maxConcurrency episodes that the command opens at once */
function settings(maxConcurrency: number): readonly Setting[] {
  return [
    // Queues of work that is due at once are asked 1,000 instead of 20 times a second.
    { key: 'history.transferProcessorMaxPollRPS', value: 1000 },
    { key: 'history.visibilityProcessorMaxPollRPS', value: 1000 },
    // Sweeps take turns at model calls by fairness, which must know them all: one partition.
    { key: 'matching.numTaskqueueReadPartitions', value: 1 },
    { key: 'matching.numTaskqueueWritePartitions', value: 1 },
    { key: 'matching.enableFairness', value: true, since: '1.29.0' },
    // A new server is given the search attributes. By default it reads them anew 30 times an episode, so that one which is
    // added can be used at once; this way it can after 2 s at most.
    { key: 'system.forceSearchAttributesCacheRefreshOnRead', value: false },
    { key: 'system.enableActivityEagerExecution', value: true },
    // By default 128,000 workflows, ended ones included, and 8 MB of events for other clusters, of which there are none.
    { key: 'history.hostLevelCacheMaxSize', value: Math.max(CACHED_WORKFLOWS, 2 * maxConcurrency) },
    { key: 'history.xdcCacheMaxSizeBytes', value: 0 },
    { key: 'history.transferProcessorUpdateAckInterval', value: CHECKPOINT_INTERVAL },
    { key: 'history.timerProcessorUpdateAckInterval', value: CHECKPOINT_INTERVAL },
    { key: 'history.visibilityProcessorUpdateAckInterval', value: CHECKPOINT_INTERVAL },
    // Timers that the server reads at once, by default 100. An episode leaves 45 behind, nearly all of them timeouts that
    // are over when they are due. The server reads those of the next second, 20 times a second at most.
    { key: 'history.timerTaskBatchSize', value: 1000 },
    // Reads of the same second's timers after which the server takes them to hold up later ones, and splits its queue; 0:
    // never. A race in the server wakes it in vain dozens of times a second, so it split its queue 25 times a second.
    { key: 'history.queueReaderStuckCriticalAttempts', value: 0 },
  ];
}

/** The flags of `temporal server start-dev` that give a server of this version the settings that it knows. */
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
