/** `npm run chaos`: whether any crash at any moment leaves the results as they would have been. */

import { processesOf } from './leftovers.ts';
import { readOptions, type ChaosOptions } from './options.ts';
import { formatReport, hasHeld, makeReport } from './report.ts';
import { makePlace, runCalmly, runWithFailures, serve, sweepFlags, type Served } from './stage.ts';

const BROKEN = 1;
const BAD_USAGE = 2;
const INTERRUPTED = 130;

async function main(): Promise<number> {
  let options: ChaosOptions | string;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}; see npm run chaos -- --help\n`);
    return BAD_USAGE;
  }
  if (typeof options === 'string') {
    process.stdout.write(`${options}\n`);
    return 0;
  }
  const started = Date.now();
  const say = (line: string) => process.stderr.write(`[${Math.round((Date.now() - started) / 1000)} s] ${line}\n`);
  const place = await makePlace();
  let served: Served | null = null;
  const clear = async () => {
    await served?.processes.close();
    await place.clear({ keep: options.keep });
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      say('interrupted: ending what was started');
      void clear().finally(() => process.exit(INTERRUPTED));
    });
  }
  try {
    served = await serve(place, options);
    const flags = await sweepFlags(options, served);
    say(`in ${place.folder}: undisturbed first`);
    const reference = await runCalmly(place, flags, options, served);
    say(`${reference.calls.length} calls in ${reference.seconds} s; now with ${options.kills} injected failures`);
    const disturbed = await runWithFailures(place, flags, options, served, reference.calls.length, say);
    say(`done after ${disturbed.seconds} s; comparing`);
    await clear();
    const report = makeReport(options, reference, disturbed, await processesOf(place.folder));
    process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : formatReport(report)}\n`);
    return hasHeld(report) ? 0 : BROKEN;
  } finally {
    await clear();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = BROKEN;
}
