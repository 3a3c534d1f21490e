/** Reads what a cluster by hand has from `docker-compose.yml`: the scripts, and the settings of the server. */

import * as z from 'zod';
import { readYaml } from '../files.ts';

const compose = z.object({
  services: z.object({ temporal: z.object({ environment: z.record(z.string(), z.string()) }) }),
  configs: z.record(z.string(), z.object({ content: z.string() })),
});

export interface ComposeParts {
  /** The content of a config, as the container has it. */
  config(name: string): string;
  /** Variables of the server that need no value from the person who starts it. */
  readonly serverEnvironment: Readonly<Record<string, string>>;
}

export function readComposeParts(): ComposeParts {
  const { services, configs } = compose.parse(readYaml('docker-compose.yml'));
  return {
    config(name) {
      const found = configs[name];
      if (found === undefined) throw new Error(`docker-compose.yml has no config ${name}`);
      // Docker Compose takes `$$` for a dollar of the script's own.
      return found.content.replaceAll('$$', '$');
    },
    serverEnvironment: Object.fromEntries(
      Object.entries(services.temporal.environment).filter(([, value]) => !value.includes('${')),
    ),
  };
}
