/** This process's gateway for agents that are services: started when the first of them is asked. */

import { startGateway, type Gateway, type RunningGateway } from '../gateway/index.ts';
import type { PassThrough } from '../models/index.ts';
import type { Environment } from './surroundings.ts';

/** Base URL of the gateway for agents that run elsewhere, and the address to listen at. @default loopback */
const PUBLIC_URL = 'TAUFLOW_GATEWAY_URL';
const LISTEN = 'TAUFLOW_GATEWAY_LISTEN';

export interface LazyGateway {
  readonly open: () => Promise<Gateway>;
  readonly close: () => Promise<void>;
}

export function lazyGateway(env: Environment, passThrough: PassThrough): LazyGateway {
  let running: Promise<RunningGateway> | undefined;
  const [url = '', listen = ''] = [env[PUBLIC_URL], env[LISTEN]];
  const options = { passThrough, ...(url === '' ? {} : { url }), ...(listen === '' ? {} : { listen }) };
  return {
    open: () => (running ??= startGateway(options)),
    close: async () => (await running?.catch(() => undefined))?.close(),
  };
}
