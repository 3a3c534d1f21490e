/**
 * State machines of the workflows, and their texts for people. Pure: time comes from `Date.now`, which a workflow
 * replaces.
 */

export type {
  Activities,
  ArchiveInput,
  ArchiveOutput,
  CloseRunOutput,
  EndStuckInput,
  EndStuckOutput,
  FindRecordedInput,
  FindRecordedOutput,
  OpenRunOutput,
  RecordLostInput,
  SumRecordedInput,
  SumRecordedOutput,
  SummarizeInput,
} from './activities.ts';
export { episodeSummary, failureText, scheduledRunDetails, startDetails } from './display.ts';
export { HeldCalls } from './held-calls.ts';
export { JudgeMonitor } from './judge-monitor.ts';
export { judgeRun, type JudgeRunPorts } from './judge-run.ts';
export { runLanes } from './lanes.ts';
export type { EpisodeFailure, SweepActivities, SweepPorts } from './ports.ts';
export { SweepRequests } from './requests.ts';
export { SweepMonitor } from './sweep-monitor.ts';
export { runWindow } from './window.ts';
