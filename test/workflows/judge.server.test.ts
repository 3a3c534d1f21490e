import { readFile } from 'node:fs/promises';
import { historyToJSON } from '../../src/temporal/sdk-internals/testing.ts';
import { WorkflowFailedError } from '@temporalio/client';
import { Context } from '@temporalio/activity';
import { describe, expect, it } from 'vitest';
import { readVerdicts, type Verdict } from '../../src/results/judge/index.ts';
import { judgeUnderWay } from '../../src/temporal/client/index.ts';
import { errorsWorkflowId } from '../../src/evaluation/index.ts';
import { TauCostUsd, TauModel, TauOrigin } from '../../workflows/client.ts';
import { record } from '../results/fixtures.ts';
import { answering, blamesAgent, playJudge, startJudge, writeFailures, type PlayedJudge } from './judges.ts';
import { hang, refuse } from './models.ts';
import type { SharedRigOptions } from './rig-on-server.ts';
import { beating, type Rig } from './rig.ts';
import { sharedRig } from './shared-rig.ts';

/** A rig whose run has failed episodes. */
async function stage(judge: PlayedJudge, failures: number, options: Partial<SharedRigOptions> = {}): Promise<Rig> {
  const rig = await sharedRig({
    callModel: judge.callModel,
    ...options,
    activities: (real) => ({ judge: beating(real.judge), ...options.activities?.(real) }),
  });
  await writeFailures(rig.run, failures);
  return rig;
}

async function verdictsOf({ log }: Rig): Promise<Verdict[]> {
  return readVerdicts(log, (sentence) => expect.fail(sentence));
}

interface Document {
  readonly fault_assignment_analysis: readonly Record<string, unknown>[];
  readonly fault_type_analysis: readonly Record<string, unknown>[];
  readonly infrastructure: readonly Record<string, unknown>[];
  readonly unjudged: readonly Record<string, unknown>[];
  readonly judge: Record<string, unknown>;
}

async function documentOf({ log }: Rig): Promise<Document> {
  return JSON.parse(await readFile(log.paths.errors, 'utf8')) as Document;
}

describe('the judge of a run', () => {
  it('asks who was at fault, of the agent which fault, and leaves a document and what it cost', async () => {
    const judge = playJudge(({ taskId }) => answering(taskId === 1 ? 'A' : 'B'));
    const rig = await stage(judge, 3);
    await rig.log.writeEpisode(record(7, 0, { run: rig.run }));
    const outcome = { kind: 'infrastructure_error', error: 'RateLimited', message: '429' } as const;
    await rig.log.writeEpisode(record(8, 0, { run: rig.run, reward: 0, grade: null, outcome }));
    const handle = await startJudge(rig);
    expect(await handle.result()).toEqual({
      status: 'completed',
      seen: 4,
      kept: 0,
      authors: { user: 1, agent: 2, environment: 0, infrastructure: 1, unjudged: 0 },
      faultTypes: { used_wrong_tool_argument: 2 },
      calls: 5,
      promptTokens: 500,
      completionTokens: 50,
      costUsd: expect.closeTo(0.005, 9) as number,
    });
    const { fault_assignment_analysis: authors, fault_type_analysis: types, ...rest } = await documentOf(rig);
    expect(authors.map(({ task_id: id, author, trial }) => [id, author, trial])).toEqual([
      [0, 'agent', 0],
      [1, 'user', 0],
      [2, 'agent', 0],
    ]);
    expect(types).toMatchObject([
      { task_id: 0, fault_type: 'used_wrong_tool_argument', description: 'It was B.' },
      { task_id: 2, fault_type: 'used_wrong_tool_argument', quotes: ['That is 10.'] },
    ]);
    expect(rest).toMatchObject({
      infrastructure: [{ task_id: 8, description: '429' }],
      unjudged: [],
      judge: { models: ['scripted/judge'], calls: 5 },
    });
    const { typedSearchAttributes } = await handle.describe();
    expect(typedSearchAttributes.get(TauModel)).toBe('judge');
    expect(typedSearchAttributes.get(TauOrigin)).toBe(rig.run.runId);
    expect(typedSearchAttributes.get(TauCostUsd)).toBeCloseTo(0.005, 9);
  });

  it('puts no conversation, instruction or prompt into the history', async () => {
    const judge = playJudge(() => answering('B', []));
    const rig = await stage(judge, 1);
    const handle = await startJudge(rig);
    await handle.result();
    const text = historyToJSON(await handle.fetchHistory());
    const payloads = [...text.matchAll(/"data": ?"([^"]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(payloads.join('\n')).toContain('It was B.');
    expect(payloads.join('\n')).not.toContain('You want to pay');
    expect(payloads.join('\n')).not.toContain('That is 10.');
    expect(judge.requests[0]?.messages.at(-1)?.content).toContain('You want to pay');
  });

  it('goes on where it was: whole verdicts of the same judge are kept, the others given anew', async () => {
    let isBroken = true;
    const judge = playJudge(({ taskId }) => (isBroken && taskId === 1 ? 'No.' : blamesAgent()));
    const rig = await stage(judge, 3);
    await (await startJudge(rig)).result();
    isBroken = false;
    judge.asked.length = 0;
    expect(await (await startJudge(rig)).result()).toMatchObject({ seen: 3, kept: 2, authors: { agent: 1 } });
    expect(judge.asked.map(({ taskId, question }) => [taskId, question])).toEqual([
      [1, 'author'],
      [1, 'fault'],
    ]);
    // An episode that has run again, and another judge.
    await rig.log.writeEpisode(
      record(2, 0, { run: rig.run, reward: 0, grade: null, outcome: { kind: 'max_steps' }, workflowRunId: 'other' }),
    );
    expect(await (await startJudge(rig)).result()).toMatchObject({ kept: 2, authors: { agent: 1 } });
    const other = {
      model: { provider: 'scripted', model: 'other', temperature: 0 },
      maxRetries: 0,
      callTimeoutMs: 60_000,
    };
    expect(await (await startJudge(rig, { judge: other })).result()).toMatchObject({ kept: 0, authors: { agent: 3 } });
  });

  it('continues as new, and counts on', async () => {
    const judge = playJudge(blamesAgent);
    const rig = await stage(judge, 5);
    const handle = await startJudge(rig, { tuning: { page: 2 }, maxFailures: 4 });
    const { runId } = await handle.describe();
    expect(await handle.result()).toMatchObject({ seen: 4, calls: 8, authors: { agent: 4 } });
    const first = rig.client.workflow.getHandle(handle.workflowId, runId);
    expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
    expect(judge.asked).toHaveLength(8);
  });

  it('stops when its budget is used up', async () => {
    const rig = await stage(playJudge(blamesAgent), 5);
    const handle = await startJudge(rig, { maxCostUsd: 0.003, maxConcurrency: 1 });
    expect(await handle.result()).toMatchObject({ status: 'budget_reached', seen: 2 });
    expect((await documentOf(rig)).fault_assignment_analysis).toHaveLength(2);
  });

  it('fails when its provider refuses, and has not asked for every episode', async () => {
    const judge = playJudge(() => refuse);
    const rig = await stage(judge, 6);
    const handle = await startJudge(rig, { maxConcurrency: 1 });
    await expect(handle.result()).rejects.toSatisfy(
      (error) => error instanceof WorkflowFailedError && error.cause?.message.includes('401') === true,
    );
    expect(judge.asked).toHaveLength(1);
    expect((await documentOf(rig)).unjudged).toHaveLength(1);
  });

  it('leaves its document when it is cancelled', async () => {
    const judge = playJudge(({ taskId }) => (taskId === 0 ? blamesAgent() : hang));
    const rig = await stage(judge, 3);
    const handle = await startJudge(rig, { maxConcurrency: 1 });
    await expect.poll(() => judge.asked.length).toBe(3);
    expect(await judgeUnderWay(rig.client, errorsWorkflowId(rig.run.runId))).toBe('scripted/judge at 0');
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect((await documentOf(rig)).fault_assignment_analysis).toMatchObject([{ task_id: 0 }]);
  });

  it('asks once more what was lost with its worker, and writes the verdict once', async () => {
    const judge = playJudge(blamesAgent);
    const lost = new Set<string>();
    const rig = await stage(judge, 2, {
      activities: (real) => ({
        recordVerdict: async (input) => {
          await real.recordVerdict(input);
          if (Context.current().info.attempt === 1) throw new Error('the worker died before it could answer');
        },
        judge: beating(async (input) => {
          const output = await real.judge(input);
          const name = `${input.episode.taskId} ${input.question}`;
          if (lost.has(name)) return output;
          lost.add(name);
          throw new Error('the worker died before it could answer');
        }),
      }),
    });
    expect(await (await startJudge(rig)).result()).toMatchObject({ calls: 4, authors: { agent: 2 } });
    expect(judge.asked).toHaveLength(8);
    const keys = judge.requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(4);
    expect(await verdictsOf(rig)).toMatchObject([{ calls: 2 }, { calls: 2 }]);
  });
});
