/** The replay corpus: histories of real runs, one gzipped file each, in a folder per version of the workflows. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

export interface RecordedHistory {
  /** A replay is told, as a workflow may derive ids from it. */
  readonly workflowId: string;
  /** Protobuf's JSON, as `temporal workflow show --output json` prints it. */
  readonly history: { readonly events: readonly HistoryEventJson[] };
}

export interface HistoryEventJson {
  readonly eventType: string;
  readonly activityTaskScheduledEventAttributes?: { readonly activityType: { readonly name: string } };
}

export const corpusDir = fileURLToPath(new URL('../fixtures/histories', import.meta.url));
const SUFFIX = '.json.gz';

/** `v1/episode-cancelled`, … of all versions. */
export async function listHistories(): Promise<string[]> {
  const versions = (await readdir(corpusDir))
    .filter((name) => /^v\d+$/.test(name))
    .sort((a, b) => versionOf(a) - versionOf(b));
  const folders = versions.map(async (version) =>
    (await readdir(join(corpusDir, version)))
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => `${version}/${name.slice(0, -SUFFIX.length)}`),
  );
  return (await Promise.all(folders)).flat();
}

/** One history of each shape, of the newest version that has it. */
export async function listNewestHistories(): Promise<string[]> {
  const newest = new Map((await listHistories()).map((name) => [name.slice(name.indexOf('/')), name]));
  return [...newest.values()];
}

function versionOf(folder: string): number {
  return Number(folder.slice(1));
}

export async function readHistory(name: string): Promise<RecordedHistory> {
  const zipped = await readFile(join(corpusDir, `${name}${SUFFIX}`));
  return JSON.parse(gunzipSync(zipped).toString('utf8')) as RecordedHistory;
}

export function zipHistory(recorded: RecordedHistory): Buffer {
  return gzipSync(JSON.stringify(recorded), { level: 9 });
}
