/** Draws that depend only on words. Workflow code has no hash of its own. */

/** Draws from [0, 1): FNV-1a over the words, mixed so that similar words give different numbers. */
export function drawUnit(words: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** @param rank draws an item's place from its index */
export function shuffle<T>(items: readonly T[], rank: (index: number) => number): T[] {
  return items
    .map((item, index) => ({ item, rank: rank(index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
