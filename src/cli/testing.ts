/** Parts of this module that its tests use beyond its entry point. */

export { createContext, homeFolder, jsonLogLine, type CliContext } from './context.ts';
export { exitOnClosedOutput } from './interrupt.ts';
export { runProgram } from './program.ts';
