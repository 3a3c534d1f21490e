/** Imports the commands of a FastWorkflow workflow: reads its Python files as literals, never runs them; trains classifiers. */

export { DOMAIN_PHRASES, trainDomain, type TrainedDomain } from './train.ts';
export { importWorkflow, type ImportedWorkflow } from './workflow.ts';
