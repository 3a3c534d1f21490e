#!/usr/bin/env node
/** Runs the command line in this process: its streams, its exit code, and uncaught errors. */

import { createContext } from './context.ts';
import { exitOnClosedOutput } from './interrupt.ts';
import { describeFailure, toExitCode, runProgram } from './program.ts';

// Deprecation warnings are for authors of libraries. Node prints one about TLS to an IP address, for example.
process.noDeprecation = true;

const words = process.argv.slice(2);
const isDebug = words.includes('--debug');
const context = createContext(process, isDebug);

// In `tauflow report RUN | head`, the reader has closed the pipe. Each further write fails likewise.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    exitOnClosedOutput();
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
