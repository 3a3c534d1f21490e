import { TaskState } from '@a2a-js/sdk';
import type { ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { expect, it, vi } from 'vitest';
import { Assessor, type AssessmentRuns } from '../../../src/cli/serve/testing.ts';
import { textPart } from '../../../src/agent-service/index.ts';

/** Asks for an assessment while so many are under way. @returns the states of its task, and whether it was run */
async function askedWhile(underWay: number) {
  const run = vi.fn(() => Promise.resolve({ kind: 'report', text: '', json: {} }));
  const published: unknown[] = [];
  const bus = { publish: (event: unknown) => void published.push(event), finished: () => undefined };
  const userMessage = { parts: [textPart('assess http://127.0.0.1:9000/agent on retail')] };
  await new Assessor({ underWay, run } as unknown as AssessmentRuns).execute(
    { taskId: 'task-1', contextId: 'context-1', userMessage } as RequestContext,
    bus as unknown as ExecutionEventBus,
  );
  return { events: JSON.stringify(published), runs: run.mock.calls.length };
}

it('four assessments run at once, and a fifth is asked to come back', async () => {
  const fourth = await askedWhile(3);
  expect(fourth.runs).toBe(1);
  expect(fourth.events).toContain(`"state":${JSON.stringify(TaskState.TASK_STATE_COMPLETED)}`);
  const fifth = await askedWhile(4);
  expect(fifth.runs).toBe(0);
  expect(fifth.events).toContain(`"state":${JSON.stringify(TaskState.TASK_STATE_REJECTED)}`);
  expect(fifth.events).toContain('4 assessments are under way; ask again later.');
});
