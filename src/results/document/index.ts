/** Documents for people: a small model of reports, comparisons and the like, its renderers, and the formats of figures. */

export {
  NONE,
  formatCount,
  formatDuration,
  formatInterval,
  formatMean,
  formatReward,
  formatRewards,
  formatShare,
  formatTally,
  formatUsd,
} from './format.ts';
