import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { serverArgs } from '../../../src/temporal/server/testing.ts';
import { searchAttributeKeys } from '../../../workflows/client.ts';

const root = join(import.meta.dirname, '../../..');

const argsOf = (serverVersion = '1.29.1', maxConcurrency = 8) =>
  serverArgs({ binary: { serverVersion }, ports: { port: 1, uiPort: 2 }, dbFile: 'x.db', env: {}, maxConcurrency });

const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

/** Value of a dynamic setting of the local server, and of that of docker-compose.yml. */
function settingOf(name: string): [string | undefined, string | undefined] {
  const args = argsOf();
  const [local] = args.flatMap((arg, at) =>
    arg.startsWith(`${name}=`) && args[at - 1] === '--dynamic-config-value' ? [arg.slice(name.length + 1)] : [],
  );
  return [local, new RegExp(`${name.replaceAll('.', '\\.')}:\\s+- value: (\\S+)`).exec(compose)?.[1]];
}

describe('what a server is started with', () => {
  it.each(['matching.enableFairness', 'system.enableActivityEagerExecution'])('has %s on', (name) => {
    expect(settingOf(name)).toEqual(['true', 'true']);
  });

  it('leaves out a setting that the version of the server does not know', () => {
    const fairness = 'matching.enableFairness=true';
    expect(argsOf('1.29.0')).toContain(fairness);
    expect(argsOf('1.30.0-rc.1')).toContain(fairness);
    const older = argsOf('1.28.4');
    expect(older).not.toContain(fairness);
    expect(older).toHaveLength(argsOf().length - 2);
  });

  it('has a cache for all episodes that the command may open', () => {
    expect(argsOf('1.29.1', 5_000)).toContain('history.hostLevelCacheMaxSize=10000');
  });

  it('bounds the cache of workflows, above what is open at once', () => {
    for (const value of settingOf('history.hostLevelCacheMaxSize')) {
      expect(Number(value)).toBeGreaterThan(1_000);
      expect(Number(value)).toBeLessThan(10_000);
    }
  });

  it('knows the search attributes from its start, and so need not read them for each workflow', () => {
    const args = argsOf();
    const known = args.filter((_, at) => args[at - 1] === '--search-attribute');
    expect(known).toHaveLength(searchAttributeKeys.length);
    expect(known).toEqual(expect.arrayContaining(['TauTask=INT', 'TauReward=DOUBLE', 'TauSweep=KEYWORD']));
    expect(settingOf('system.forceSearchAttributesCacheRefreshOnRead')[0]).toBe('false');
  });

  it('keeps nothing for other clusters, and has frequent checkpoints of its queues', () => {
    expect(settingOf('history.xdcCacheMaxSizeBytes')[0]).toBe('0');
    for (const queue of ['transfer', 'timer', 'visibility']) {
      // JSON: without the quotes the server would not start.
      expect(settingOf(`history.${queue}ProcessorUpdateAckInterval`)[0]).toBe('"500ms"');
    }
  });

  it('reads timers a second at a time, and does not split the queue of a busy second', () => {
    // Of 20 reads a second: more timers than two cores' episodes leave behind.
    expect(20 * Number(settingOf('history.timerTaskBatchSize')[0])).toBeGreaterThan(10_000);
    expect(settingOf('history.timerProcessorMaxPollRPS')[0]).toBeUndefined();
    expect(settingOf('history.queueReaderStuckCriticalAttempts')[0]).toBe('0');
  });
});
