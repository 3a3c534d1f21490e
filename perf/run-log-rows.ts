/** Bytes that a run log writes for many results: each record once, the results file whenever it has doubled. */

import { performance } from 'node:perf_hooks';
import { stat } from 'node:fs/promises';
import { RunLog } from '../src/results/log/index.ts';
import { ResultsAssembler } from '../src/results/tau-bench/index.ts';
import { makeFolder } from './stage.ts';
import type { MeasuredSweep } from './sweep.ts';
import { bytes, ms, type Row } from './table.ts';

const RESULTS = 460;

/** Writes the sweep's records as further trials, as a run would, until there are {@link RESULTS}. */
export async function runLogRows({ records }: MeasuredSweep): Promise<Row[]> {
  const section = `Run log, ${RESULTS} results`;
  const { folder, remove } = await makeFolder();
  try {
    const log = new RunLog({ logDir: folder, runId: 'bench' });
    const assembler = new ResultsAssembler(log);
    let recordBytes = 0;
    let rewritingAlways = 0;
    let entryBytes = 0;
    const started = performance.now();
    for (let at = 0; at < RESULTS; at++) {
      const record = records[at % records.length];
      if (record === undefined) return [];
      const file = await log.writeEpisode({ ...record, trial: Math.floor(at / records.length) });
      recordBytes += (await stat(file)).size;
      await assembler.maybeRewrite(at + 1);
      entryBytes = assembler.bytesWritten === 0 ? entryBytes : (await stat(log.paths.results)).size;
      rewritingAlways += entryBytes;
    }
    const final = await assembler.finish();
    const took = performance.now() - started;
    return [
      {
        section,
        name: 'bytes written, results file',
        measured: bytes(assembler.bytesWritten),
        baseline: { ...bytes(final.bytes), what: 'its final length' },
        target: { atMost: 3, of: 'ratio' },
        note: `each version whole and valid; rewritten after each result: over ${Math.round(rewritingAlways / 1e6)} MB`,
      },
      {
        section,
        name: 'bytes written, records',
        measured: bytes(recordBytes),
        baseline: { ...bytes(final.bytes), what: 'results file' },
      },
      { section, name: 'time per result', measured: ms(took / RESULTS) },
    ];
  } finally {
    await remove();
  }
}
