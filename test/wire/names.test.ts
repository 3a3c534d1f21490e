import { describe, expect, it } from 'vitest';

import {
  episodeWorkflowId,
  errorsWorkflowId,
  laneWorkflowId,
  placeOfWorkflow,
  sweepWorkflowId,
} from '../../src/wire/names.ts';

const RUNS = [
  'nightly',
  'tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_1121231500',
  'a@b=c+d.e',
  'task-1',
  'lane-0',
];

describe.each(RUNS)('a workflow of the run %s', (run) => {
  it('says which run it belongs to', () => {
    expect(placeOfWorkflow(sweepWorkflowId(run))).toEqual({ run });
  });

  it('is its judge', () => {
    expect(placeOfWorkflow(errorsWorkflowId(run))).toEqual({ run });
  });

  it('says which lane it is', () => {
    expect(placeOfWorkflow(laneWorkflowId(run, 12))).toEqual({ run, lane: 12 });
  });

  it('says which task and trial it runs', () => {
    const id = episodeWorkflowId(run, { taskId: 17, trial: 3 });
    expect(placeOfWorkflow(id)).toEqual({ run, task: 17, trial: 3 });
  });

  it('says which fork of an episode it is', () => {
    const id = `${episodeWorkflowId(run, { taskId: 17, trial: 0 })}/fork-2`;
    expect(placeOfWorkflow(id)).toEqual({ run, task: 17, trial: 0, fork: 2 });
  });
});

describe('a workflow that a schedule started', () => {
  it('has the time in its run', () => {
    const run = 'nightly-2026-11-21T02:00:00Z';
    expect(placeOfWorkflow(`${run}/task-1/trial-0`)).toEqual({ run, task: 1, trial: 0 });
  });
});

describe("another program's workflow", () => {
  it.each(['orders/4711', 'orders/task-1/done', 'task-x/trial-1x', ''])('%j is a run of that name', (id) => {
    expect(placeOfWorkflow(id)).toEqual({ run: id });
  });
});
