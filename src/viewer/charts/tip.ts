/** How the plots' tips look. */
export const TIP = {
  fill: 'var(--panel)',
  stroke: 'var(--line)',
  textPadding: 8,
} as const;
