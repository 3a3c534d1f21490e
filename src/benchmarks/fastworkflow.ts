/** Data of domains for the FastWorkflow agent. */

import { fastWorkflowData as ofTauBench } from './tau-bench/fastworkflow.ts';
import { fastWorkflowData as ofTau3 } from './tau3/fastworkflow.ts';

interface FastWorkflowData {
  /** The commands, as a catalogue's file. */
  readonly commands: unknown;
  /** A domain of another benchmark whose commands are added, unless this domain has one of the same name. */
  readonly sharedWith?: string;
  /** Weights of the intent classifier that was trained for all of its commands. */
  readonly weights: {
    readonly commands: readonly string[];
    readonly step: number;
    readonly rows: Readonly<Record<string, string>>;
  };
  /** Folder of these files in `data/`, and of the training phrases. */
  readonly folder: string;
}

/** FastWorkflow's data by domain. */
export const fastWorkflowData: Readonly<Record<string, FastWorkflowData>> = { ...ofTauBench, ...ofTau3 };
