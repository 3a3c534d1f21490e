/** What happens when a night is due while one before it is under way: our words, and Temporal's. */

export const OVERLAPS = {
  skip: 'SKIP',
  'buffer-one': 'BUFFER_ONE',
  'buffer-all': 'BUFFER_ALL',
  'cancel-other': 'CANCEL_OTHER',
  'terminate-other': 'TERMINATE_OTHER',
  'allow-all': 'ALLOW_ALL',
} as const;
export type Overlap = keyof typeof OVERLAPS;
