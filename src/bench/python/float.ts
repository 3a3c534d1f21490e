/** How Python spells a float: shortest digits that read back as the same double, always with a point or exponent. */

/** `repr(x)`: exponent form from 1e16 on and below 1e-4, `200.0`, `-0.0`, `inf`, `nan`. */
export function formatFloat(x: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf';
  const size = Math.abs(x);
  if (size === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(x) ? `${String(x)}.0` : String(x);
  // Both languages print the shortest digits that round-trip; only the form of the exponent differs.
  const [digits = '', exponent = ''] = x.toExponential().split('e');
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
}
