/** The body of `tauflow cache`. */

import Table from 'cli-table3';
import { contentsOf, type ModelContents } from '../../models/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { cachePlace } from '../../host/index.ts';
import { reachable } from './place.ts';
import { completions, size } from './sizes.ts';

export async function showCache(json: boolean, context: CliContext): Promise<void> {
  const { folder, maxBytes } = cachePlace(context);
  const models = await reachable(folder, () => contentsOf(folder));
  const entries = models.reduce((sum, model) => sum + model.entries, 0);
  const bytes = models.reduce((sum, model) => sum + model.bytes, 0);
  if (json) {
    printJson({ place: folder, max_bytes: maxBytes, entries, bytes, models: models.map(toJson) }, context);
    return;
  }
  context.out(`${completions(entries)} in ${folder}, ${size(bytes)} of at most ${size(maxBytes)}`);
  if (models.length > 0) context.out(renderModels(models));
}

function renderModels(models: readonly ModelContents[]): string {
  const table = new Table({
    head: ['provider', 'model', 'completions', 'size', 'last used'],
    colAligns: ['left', 'left', 'right', 'right', 'left'],
    style: { head: [], border: [] },
  });
  for (const { provider, model, entries, bytes, usedAt } of models) {
    table.push([provider, model, entries.toLocaleString('en'), size(bytes), shownTime(usedAt)]);
  }
  return table.toString();
}

function toJson({ provider, model, entries, bytes, usedAt }: ModelContents): object {
  return { provider, model, entries, bytes, last_used: new Date(usedAt).toISOString() };
}

function shownTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
