/** Data of domains for the FastWorkflow agent: commands and weights. */

import { fastWorkflowData as ofTauBench } from './tau-bench/fastworkflow.ts';
import { fastWorkflowData as ofTau3 } from './tau3/fastworkflow.ts';

interface FastWorkflowData {
  /** The domain's commands, as in a catalogue's file. */
  readonly commands: unknown;
  /** A domain of another benchmark. Its commands are added, except those with a name that this domain has. */
  readonly sharedWith?: string;
  /** Weights of the intent classifier that was trained for the domain's commands. */
  readonly weights: {
    readonly commands: readonly string[];
    readonly step: number;
    readonly rows: Readonly<Record<string, string>>;
  };
  /** Folder in `data/` with the weights and the training phrases. */
  readonly folder: string;
}

/** FastWorkflow's data by domain. */
export const fastWorkflowData: Readonly<Record<string, FastWorkflowData>> = { ...ofTauBench, ...ofTau3 };
