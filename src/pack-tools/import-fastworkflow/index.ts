/** Imports the commands of a FastWorkflow workflow: reads its Python files as literals, never runs them; trains classifiers. */

export { DOMAIN_PHRASES } from './phrases.ts';
export { trainDomain } from './train.ts';
export { importWorkflow, type ImportedWorkflow } from './workflow.ts';
