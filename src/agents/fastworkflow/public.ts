/**
 * The module `tauflow/agents/fastworkflow`: the FastWorkflow agent with replaceable parts, and its separate parts. They
 * are pure, and may be used in an agent's file and elsewhere.
 */

export { createFastWorkflow, type FastWorkflowPorts } from './index.ts';
export { FASTWORKFLOW_OPTIONS, type FastWorkflowOptions } from './options.ts';

/** Understanding: from words to a planned command. */
export { plan } from './understanding/understand.ts';
export type { CommandPlan, HandledAnswer, IntentClassifier, RankedCommand } from './understanding/types.ts';

/** Bridge: from a planned command to an environment action, and from its result to the text that the agent reads. */
export {
  renderObsForAgent,
  serialiseParameters,
  toAction,
  type ActionResult as Acted,
  type Bridge,
  type PlannedCommand,
} from './bridge.ts';

/** Execution, and hooks for each command (`onCommand`) and each environment step (`observeSteps`). */
export {
  ToolError,
  type CommandEvent,
  type ExecuteWorkflowQuery,
  type ExecutionResult as Executed,
  type OnCommand,
  type PerformAction,
} from './loop/execution.ts';
export { createClassifier, type ClassifierWeights } from './understanding/classifier.ts';
export { trainClassifier, type TrainingOptions } from './training/train.ts';
export type { Phrases } from './training/examples.ts';
export type { AgentContext, Turn } from './context.ts';
export { observeSteps, StepWatchError, type OnStep, type StepEvent } from '../step-events.ts';

/** Commands. */
export { readCatalogue, type CatalogueFile } from './catalogue/read.ts';
export { catalogueOf, catalogueText, checkCatalogue } from './catalogue/index.ts';
export {
  createCatalogue,
  type Catalogue,
  type CommandDefinition,
  type FieldDefinition,
  type FieldType,
} from './catalogue/definitions.ts';
