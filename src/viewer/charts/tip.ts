/** Style of the plots' tips. */
export const TIP = {
  fill: 'var(--panel)',
  stroke: 'var(--line)',
  textPadding: 8,
} as const;
