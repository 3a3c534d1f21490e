import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { serverArgs } from '../../../src/temporal/server/launch.ts';

const root = join(import.meta.dirname, '../../..');

describe('what a server is started with', () => {
  it.each(['matching.enableFairness', 'system.enableActivityEagerExecution'])(
    'has %s on, as the servers of docker-compose.yml have',
    (setting) => {
      const args = serverArgs({ ports: { port: 1, uiPort: 2 }, dbFile: 'x.db', env: {} });
      const value = args.flatMap((arg, at) => (arg.startsWith(`${setting}=`) ? [args[at - 1], arg] : []));
      expect(value).toEqual(['--dynamic-config-value', `${setting}=true`]);
      const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
      expect(compose).toMatch(new RegExp(`${setting.replaceAll('.', '\\.')}:\\s+- value: true`));
    },
  );
});
