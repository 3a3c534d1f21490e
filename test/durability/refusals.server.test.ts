/** Worker processes that could not do a task queue's work say so, and do not start. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { WORKFLOW_VERSION } from '../../src/wire/failures.ts';
import { clientOf } from './fleet.ts';
import { Place } from './place.ts';
import { Tauflow } from './processes.ts';

vi.setConfig({ testTimeout: 120_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

function worker(...flags: string[]): Tauflow {
  return Tauflow.start(['worker', ...flags], place.surroundings());
}

describe('a worker', () => {
  it.each([
    ['in the memo', { memo: { workflowVersion: WORKFLOW_VERSION + 1 }, args: [{}] }],
    ['in the input', { args: [{ version: WORKFLOW_VERSION + 1 }] }],
  ])('refuses a task queue with a sweep of newer code, as it says %s', async (where, options) => {
    const { connection, workflow } = await clientOf(place);
    const taskQueue = `newer ${where}`;
    const handle = await workflow.start('sweep', { workflowId: `newer-${where.at(-1)}`, taskQueue, ...options });
    // The visibility store hears of a workflow a moment later.
    await expect
      .poll(() => workflow.count(`TaskQueue = '${taskQueue}'`), { timeout: 10_000 })
      .toMatchObject({ count: 1 });
    const refused = worker('--task-queue', taskQueue);
    expect(await refused.ended).toMatchObject({ code: 2 });
    expect(refused.printed).toContain(
      `error: the run ${handle.workflowId}, under way on the task queue ${taskQueue}, was started by newer code ` +
        `(workflow version ${WORKFLOW_VERSION + 1}, this program has ${WORKFLOW_VERSION})`,
    );
    await handle.terminate();
    await connection.close();
  });

  it('leaves the calls of a provider alone whose key it has not got, and refuses when it is to make them', async () => {
    const surroundings = place.surroundings();
    const env = { ...surroundings.env, OPENAI_API_KEY: '' };
    const without = Tauflow.start(['worker', '--task-queue', 'keyless'], { ...surroundings, env });
    const [, served = ''] = await without.says(/worker on .*, providers (.*)\n/);
    expect(without.printed).toMatch(/calls left to other workers, their keys are not set here: .*openai/);
    expect(served).not.toContain('openai');
    expect(served).toContain('scripted');

    const asked = Tauflow.start(['worker', '--providers', 'scripted,openai'], { ...surroundings, env });
    expect(await asked.ended).toMatchObject({ code: 2 });
    expect(asked.printed).toMatch(/error: --providers openai: OPENAI_API_KEY is not set/);
  });

  it.each([
    [['--max-llm-calls-per-second', 'openai'], /takes pairs such as openai=5, or openai=none, not "openai"/],
    [['--max-llm-calls-per-second', 'nobody=5'], /providers are: .*openai/],
    [['--max-llm-calls-per-second', 'openai=0'], /not "openai=0"/],
    [['--deployment', 'evaluation'], /needs both, --deployment NAME and --build-id ID/],
    [['--grace', 'soon'], /--grace must be a duration/],
    [['--providers', 'nobody'], /--providers nobody: unknown model provider/],
  ])('is refused with its mistake: %j', async (flags, problem) => {
    const refused = worker(...flags);
    expect(await refused.ended).toMatchObject({ code: 2 });
    expect(refused.printed).toMatch(problem);
  });
});
