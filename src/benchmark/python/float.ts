/** Python's spelling and rounding of floats. */

/**
 * `repr(x)`: the shortest digits that read back as the same double, always with a point or an exponent; exponent
 * form from 1e16 on and below 1e-4.
 */
export function formatFloat(x: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf';
  const size = Math.abs(x);
  if (size === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(x) ? `${String(x)}.0` : String(x);
  // Both languages print the shortest digits that round-trip; only the form of the exponent differs.
  const [digits = '', exponent = ''] = x.toExponential().split('e');
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
}

/** `round(x, 2)`: rounds the exact binary value, ties to even. */
export function roundFloat2(x: number): number {
  // From 2**52 on doubles are whole, and NaN and the infinities stay what they are.
  if (!(Math.abs(x) < 2 ** 52) || x === 0) return x;
  // Only odd eighths lie exactly between two hundredths; toFixed would round those up.
  const eighths = x * 8;
  if (!Number.isInteger(eighths) || eighths % 2 === 0) return Number(x.toFixed(2));
  const doubled = BigInt(eighths) * 25n;
  const below = (doubled - 1n) / 2n;
  const above = (doubled + 1n) / 2n;
  const even = below % 2n === 0n ? below : above;
  return Number(`${even.toString()}e-2`) * (even === 0n && x < 0 ? -1 : 1);
}
