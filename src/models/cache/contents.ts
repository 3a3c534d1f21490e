/** What is in a folder of completions, by model. */

import { scanBins } from './scan.ts';

export interface ModelContents {
  readonly provider: string;
  readonly model: string;
  readonly entries: number;
  /** On the disk. */
  readonly bytes: number;
  /** When one was last stored or found, in ms since 1970. */
  readonly usedAt: number;
}

/**
 * One row a model, over all configurations, the largest first. Those without completions have none.
 * @throws the system's error for a folder that cannot be read
 */
export async function contentsOf(folder: string): Promise<ModelContents[]> {
  const models = new Map<string, ModelContents>();
  for await (const { shelf, files } of scanBins(folder)) {
    const { provider, model } = shelf;
    const name = JSON.stringify([provider, model]);
    for (const { isEntry, bytes, usedAt } of files) {
      if (!isEntry) continue;
      const before = models.get(name) ?? { provider, model, entries: 0, bytes: 0, usedAt: 0 };
      models.set(name, {
        ...before,
        entries: before.entries + 1,
        bytes: before.bytes + bytes,
        usedAt: Math.max(before.usedAt, usedAt),
      });
    }
  }
  return [...models.values()].sort((a, b) => b.bytes - a.bytes || a.model.localeCompare(b.model));
}
