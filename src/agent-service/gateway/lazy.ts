/** This process's gateway for agent services, started for the first request to one. */

import { parsePlace } from './address.ts';
import { startGateway, type RunningGateway } from './gateway.ts';
import type { Gateway } from './binding.ts';
import type { PassThrough } from '../../models/index.ts';

/** Base URL of the gateway for agents that run elsewhere, and the address to listen at. @default loopback */
const PUBLIC_URL = 'TAUFLOW_GATEWAY_URL';
const LISTEN = 'TAUFLOW_GATEWAY_LISTEN';

interface LazyGateway {
  readonly open: () => Promise<Gateway>;
  readonly close: () => Promise<void>;
}

/**
 * @param url takes precedence over the environment's
 * @throws UsageError for an unusable address
 */
export function lazyGateway(
  env: Readonly<Record<string, string | undefined>>,
  passThrough: PassThrough,
  url = env[PUBLIC_URL] ?? '',
): LazyGateway {
  let running: Promise<RunningGateway> | undefined;
  const listen = env[LISTEN] ?? '';
  const options = { passThrough, ...(url === '' ? {} : { url }), ...(listen === '' ? {} : { listen }) };
  parsePlace(options);
  return {
    open: () => (running ??= startGateway(options)),
    close: async () => (await running?.catch(() => undefined))?.close(),
  };
}
