/** Imports the commands of a FastWorkflow workflow: reads its Python files as literals, never runs them. */

export { importWorkflow, type ImportedWorkflow } from './workflow.ts';
