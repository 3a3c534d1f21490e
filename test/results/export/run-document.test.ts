/** A run as one JSON document. */

import { expect, it } from 'vitest';

import { runDocument } from '../../../src/results/export/index.ts';
import { manifestCodec, recordCodec, rowOfRecord, type EpisodeRecord } from '../../../src/run-log/index.ts';
import { buildReport } from '../../../src/results/report/testing.ts';
import { reportToJson, subjectOfRun } from '../../../src/results/report/index.ts';
import { manifest } from '../compare/runs.ts';
import { record } from '../fixtures.ts';

const MANIFEST = manifest('run-1', {}, { plan: { taskIds: [3], numTrials: 2, shuffle: false } });

it.each([[[]], [[record(3, 0), record(3, 1, { reward: 0 })]]])('has everything of %j', async (records) => {
  const report = buildReport(subjectOfRun(MANIFEST), records.map(rowOfRecord));
  const read = async function* (): AsyncGenerator<EpisodeRecord> {
    yield* await Promise.resolve(records);
  };
  let text = '';
  for await (const piece of runDocument(report, MANIFEST, read())) text += piece;
  const document = JSON.parse(text) as { run: object; report: object; episodes: object[] };
  expect(manifestCodec.read(JSON.stringify(document.run))).toEqual(MANIFEST);
  expect(document.report).toEqual(JSON.parse(JSON.stringify(reportToJson(report))));
  expect(document.episodes).toEqual(records.map((one) => JSON.parse(recordCodec.write(one)) as object));
});
