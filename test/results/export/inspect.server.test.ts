/** An exported run in the eyes of Inspect itself, where Python and inspect_ai are on this machine. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { makeRun } from '../../cli/reported-runs.ts';
import { scratchFolder, tauflow } from '../../cli/in-process.ts';

/** A Python that has inspect_ai; null where there is none. */
function inspectPython(): string | null {
  const python = process.env['INSPECT_PYTHON'] ?? 'python3';
  try {
    execFileSync(python, ['-c', 'import inspect_ai'], { stdio: 'ignore' });
    return python;
  } catch {
    process.stderr.write('the test with Inspect is skipped: set INSPECT_PYTHON to a Python that has inspect_ai\n');
    return null;
  }
}

const READ = `
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
print(json.dumps({
    "status": log.status,
    "task": log.eval.task,
    "mean": log.results.scores[0].metrics["mean"].value,
    "samples": [[s.id, s.epoch, s.scores["reward"].value, s.messages[0].role] for s in log.samples],
}))
`;

const python = inspectPython();

describe.skipIf(python === null)('an exported run', () => {
  it('is a log that Inspect reads', { timeout: 120_000 }, async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const { code, stderr } = await tauflow(['export', 'mine', '--format', 'inspect'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'wrote results/mine.inspect.json' });
    const read = execFileSync(python ?? '', ['-c', READ, join(cwd, 'results/mine.inspect.json')], { encoding: 'utf8' });
    const log = JSON.parse(read) as { samples: [number, number, number, string][] };
    expect(log).toMatchObject({ task: 'tau_bench_retail', mean: 0.25 });
    expect(log.samples).toHaveLength(4);
    expect(log.samples.filter(([, , reward]) => reward === 1)).toHaveLength(1);
  });
});
