#!/usr/bin/env node
import { runCommand } from './command.ts';

const problem = await runCommand(process.argv.slice(2), {
  name: 'tauflow-task-generator',
  cwd: process.cwd(),
  out: (text) => console.log(text),
});
if (problem !== undefined) {
  console.error(`error: ${problem}`);
  process.exitCode = 2;
}
