/** Formats sizes of files. */

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size: `812 B`, `4.1 kB`, `1.0 GB`. Units are powers of 1024, as in `TAUFLOW_CACHE_BYTES`. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 'B';
  for (const next of UNITS) {
    // An amount that rounds to 1024.0 is shown as 1.0 of the next unit.
    if (amount < 1023.95) break;
    amount /= 1024;
    unit = next;
  }
  return unit === 'B' ? `${bytes} B` : `${amount.toFixed(1)} ${unit}`;
}
