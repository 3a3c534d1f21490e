/** Agents as functions: a file whose default export is `async (turn) => answer`, in a service of its own or in this process. */

export { functionService, type FunctionService } from './service.ts';
export { functionPath } from './path.ts';
export { loadFunction } from './load.ts';
export { serveFunction } from './serve.ts';
