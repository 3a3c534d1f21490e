/** The environment that tests start servers with: this machine's environment without its Temporal configuration. */

import envPaths from 'env-paths';

/** A CLI is found or obtained as the program itself would; no test reaches a server that is configured. */
export function testEnvironment(): NodeJS.ProcessEnv {
  const isConfiguration = (name: string) => name.startsWith('TEMPORAL_') && name !== 'TEMPORAL_CLI_PATH';
  const kept = Object.entries(process.env).filter(([name]) => !isConfiguration(name));
  // Empty ones stand before what the user's profile file says.
  return { ...Object.fromEntries(kept), TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' };
}

/** The folder in which an obtained CLI is kept between test runs. */
export function testHome(): string {
  return process.env['TAUFLOW_HOME'] ?? envPaths('tauflow', { suffix: '' }).cache;
}
