/** State machines of the workflows, and their texts for people. Pure: time is what `Date.now` gives a workflow. */

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
export { episodeSummary, failureText, startDetails } from './display.ts';
export { HeldCalls } from './held-calls.ts';
export { judgeEpisode, type JudgePorts } from './judge-episode.ts';
export { JudgeMonitor } from './judge-monitor.ts';
export type { SweepActivities, SweepPorts } from './ports.ts';
export type { DueCall } from './provider-state.ts';
export { SweepRequests } from './requests.ts';
export { splitWindow } from './split-window.ts';
export { FIRST_LOOK_MS, timeToNextLook, type Look } from './stuck-looks.ts';
export { SweepMonitor } from './sweep-monitor.ts';
