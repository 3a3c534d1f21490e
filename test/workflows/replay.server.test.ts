import { DeterminismViolationError } from '@temporalio/workflow';
import { ReplayError, Worker } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';

import { installRuntime } from '../../src/temporal/worker/worker.ts';
import { listHistories, readHistory, type HistoryEventJson, type RecordedHistory } from './histories.ts';

installRuntime('ERROR');

async function replay({ history, workflowId }: RecordedHistory): Promise<void> {
  const workflowBundle = { codePath: inject('workflowBundle') };
  await Worker.runReplayHistory({ workflowBundle, replayName: workflowId }, history, workflowId);
}

const names = await listHistories();

describe('the workflows replay what earlier versions of them did', () => {
  it('in every way that a run can go', () => {
    const shapes = new Set(names.map((name) => name.replace(/^v\d+\//, '')));
    for (const shape of [
      'episode-tool-calling',
      'episode-fastworkflow',
      'episode-fastworkflow-question',
      'episode-retried-call',
      'episode-agent-error',
      'episode-max-steps',
      'episode-cancelled',
      'episode-transcript-missing',
      'sweep-plain',
      'sweep-resumed',
      'sweep-continued-as-new-first',
      'sweep-lanes',
      'sweep-lanes-short',
      'sweep-cancelled',
      'episode-fork',
      'episode-human',
      'sweep-retried',
      'sweep-extended',
      'sweep-limits',
      'sweep-lanes-steered',
      'sweep-outage',
      'sweep-refused-resumed',
      'sweep-refused-cancelled',
      'scheduled-run',
      'errors',
      'errors-unread',
      'errors-halted',
      'errors-continued-as-new-first',
      'errors-cancelled',
    ]) {
      expect(shapes).toContain(shape);
    }
  });

  it.each(names)('%s', async (name) => {
    await replay(await readHistory(name));
  });
});

describe('a history that is not theirs', () => {
  const isStep = (event: HistoryEventJson) => event.activityTaskScheduledEventAttributes?.activityType.name === 'step';

  it('does not replay', async () => {
    const { workflowId, history } = await readHistory('v1/episode-tool-calling');
    const events = history.events.map((event) =>
      isStep(event)
        ? {
            ...event,
            activityTaskScheduledEventAttributes: {
              ...event.activityTaskScheduledEventAttributes,
              activityType: { name: 'grade' },
            },
          }
        : event,
    );
    expect(history.events.some(isStep)).toBe(true);
    const replayed = replay({ workflowId, history: { events } });
    await expect(replayed).rejects.toSatisfy(
      (error) => error instanceof DeterminismViolationError || error instanceof ReplayError,
    );
  });
});
