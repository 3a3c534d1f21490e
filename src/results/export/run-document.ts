/** A run as one JSON document. */

import { manifestCodec, recordCodec, type EpisodeRecord, type RunManifest } from '../../run-log/index.ts';
import { reportToJson, type Report } from '../report/index.ts';

/** Writes `{"run", "report", "episodes"}`: `run.json`, the output of `report --format json`, and every record's file. */
export async function* runDocument(
  report: Report,
  manifest: RunManifest,
  records: AsyncIterable<EpisodeRecord>,
): AsyncGenerator<string, void, undefined> {
  let separator = `{"run":${manifestCodec.write(manifest).trim()},\n"report":${JSON.stringify(reportToJson(report))},\n"episodes":[`;
  for await (const record of records) {
    yield `${separator}\n${recordCodec.write(record).trim()}`;
    separator = ',';
  }
  yield separator === ',' ? '\n]}\n' : `${separator}]}\n`;
}
