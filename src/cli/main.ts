#!/usr/bin/env node
/** The process around the command line: its streams, its exit code, and uncaught errors. */

import { createContext } from './context.ts';
import { outputClosed } from './interrupt.ts';
import { describeFailure, toExitCode, runProgram } from './program.ts';

// Node warns users of what a library should change, such as TLS to a server that is named by its number.
process.noDeprecation = true;

const words = process.argv.slice(2);
const isDebug = words.includes('--debug');
const context = createContext(process, isDebug);

// `tauflow report RUN | head`: whoever reads has had enough. Each further write fails likewise.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    outputClosed();
  });
}
process.on('uncaughtException', (error) => {
  context.log(describeFailure(error, isDebug));
  process.exit(toExitCode(error));
});

await runProgram(words, context);
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((resolve) => {
    stream.write('', () => resolve());
  });
}
process.exit();
