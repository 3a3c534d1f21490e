/** @returns true if nothing in this folder may change how the SDK or Node works, to find out whether a fault is ours */
export function isPlainSdk(): boolean {
  return process.env['TAUFLOW_PLAIN_SDK'] === '1';
}
