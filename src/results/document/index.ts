/**
 * Documents for people: a small model of reports, comparisons and similar texts, its renderers, and the formats of
 * figures.
 */

export {
  NONE,
  formatAmount,
  formatConfidence,
  formatCount,
  formatDuration,
  formatInterval,
  formatMean,
  formatP,
  formatPValue,
  formatPercent,
  formatReward,
  formatRewards,
  formatShare,
  formatSigned,
  formatSignedUsd,
  formatMostFrequent,
  formatTally,
  sortByCount,
  pickWorstTasks,
  formatUsd,
} from './format.ts';
export { renderMarkdown } from './markdown.ts';
export {
  facts,
  figures,
  heading,
  isEmptyBlock,
  list,
  notes,
  paragraph,
  plainText,
  section,
  snippet,
  toSpans,
  table,
  type Block,
  type Column,
  type Document,
  type Fact,
  type Figure,
  type ListItem,
  type Text,
  type Tone,
} from './model.ts';
