/** Parts of this module that its tests use beyond its entry point. */

export { DOMAIN_PHRASES, weightsFile, weightsText } from './make-weights.ts';
export { removeOldChunks } from './program.ts';
export { ENVIRONMENT_SCHEMAS, environmentOpenApi, environmentSchema } from './environment-protocol.ts';
