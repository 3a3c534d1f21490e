/** A sweep end to end as a person meets it: nothing configured, a local server, the shipped pack, the scripted model. */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { findServer, stopServer } from '../../src/temporal/server/index.ts';
import { environment, namesIn, run, scratchFolder, tauflow, type Place } from './in-process.ts';

const cwd = scratchFolder();
/** Each process bundles the workflows anew, which takes its time on a busy machine. */
const SLOW = { timeout: 180_000 };
const RUN = [
  'run',
  '--agent-strategy',
  'fastworkflow',
  '--task-ids',
  '1',
  '2',
  '--num-trials',
  '2',
  '--run-id',
  'first',
];
const EPISODES = ['task-1.trial-0.json', 'task-1.trial-1.json', 'task-2.trial-0.json', 'task-2.trial-1.json'] as const;

let model: ScriptedModel;
let place: Place;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  place = { cwd, env: environment({ TAUFLOW_SCRIPTED_URL: model.url }) };
});

afterAll(async () => {
  await stopServer(cwd);
  await model.close();
});

function json(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(cwd, 'results', ...path), 'utf8'));
}

function completions(): number {
  return model.stats().completions;
}

describe('a first run', () => {
  it('starts a server, runs every episode, reports, and says where to look and how to go on', SLOW, async () => {
    const { code, stdout, stderr } = await run(RUN, place);
    expect(code, stderr).toBe(0);
    const order = [
      /^run +first$/m,
      /^agent +fastworkflow with scripted\/oracle:0\.8$/m,
      /scripted from the tasks' ground truth: no key is needed/,
      /^run log +results\/first$/m,
      /starting a local Temporal server at 127\.0\.0\.1:/,
      /^UI +http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/first\/[\w-]+\/history$/m,
      /resume with: npx tauflow resume first$/m,
      /^4\/4 ended/m,
      /^Temporal UI stays at http.*`npx tauflow server stop` ends the server$/m,
    ].map((pattern) => stderr.search(pattern));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(stderr).not.toMatch(/warn/i);

    expect(stdout).toMatch(/The model was scripted/);
    for (const part of [
      'pass^1',
      'pass^2',
      'average reward',
      '| Strategy | Pass^1 |',
      '| FW (',
      'details  npx tauflow report ',
    ]) {
      expect(stdout).toContain(part);
    }
    // No colours and no cursor movements where there is no terminal.
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('writes the run log and a results file of the reference’s shape', () => {
    expect(namesIn(join(cwd, 'results'))).toEqual(['first', 'first.json']);
    expect(namesIn(join(cwd, 'results', 'first'))).toEqual([
      'episodes',
      'metrics.json',
      'rows.jsonl',
      'run-token',
      'run.json',
      'tasks.json',
    ]);
    expect(namesIn(join(cwd, 'results', 'first', 'episodes'))).toEqual(EPISODES);
    expect(json('first', 'run.json')).toMatchObject({
      run_id: 'first',
      status: 'completed',
      config: { strategy: 'fastworkflow', agent_model: { provider: 'scripted' } },
      temporal: { namespace: 'default', workflow_id: 'first' },
    });
    expect(json('first', 'metrics.json')).toMatchObject({ run_id: 'first', episodes: 4 });
    const results = json('first.json') as Record<string, unknown>[];
    expect(results).toHaveLength(4);
    for (const entry of results) {
      expect(Object.keys(entry)).toEqual(['task_id', 'reward', 'info', 'traj', 'trial']);
      expect(entry).toMatchObject({
        info: { task: {}, source: 'user', reward_info: {} },
        traj: expect.any(Array) as [],
      });
    }
  });

  it('is found by its UI address', async () => {
    const server = await findServer(cwd);
    const answer = await fetch(`${server?.uiUrl}/api/v1/namespaces/default/workflows/first`);
    expect(await answer.json()).toMatchObject({
      workflowExecutionInfo: { execution: { workflowId: 'first' }, status: 'WORKFLOW_EXECUTION_STATUS_COMPLETED' },
    });
  });

  it('is listed and reported', async () => {
    // The local server is found, not started.
    const env = { TEMPORAL_ADDRESS: '' };
    const list = await tauflow(['list', '--json'], { cwd, env });
    expect(JSON.parse(list.stdout)).toMatchObject([{ run_id: 'first', status: 'completed', episodes: 4, planned: 4 }]);
    const status = await tauflow(['status', 'first'], { cwd, env });
    expect(status.stdout).toMatch(
      /^run +first\nstatus +completed\nrecorded +4 of 4 episodes\nreward +1\.000, pass\^1 1\.000$/,
    );
    const report = await tauflow(['report', 'first'], { cwd, env });
    expect(report.stdout).toContain('2 tasks × 2 trials');
    const folder = await tauflow(['report', 'results/first'], { cwd, env });
    expect(folder.stdout).toBe(report.stdout);
  });
});

describe('the same run id', () => {
  it('is refused for another configuration, with the differences', async () => {
    const ended = await tauflow([...RUN, '--num-trials', '3', '--max-steps', '5'], { cwd });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(
      /^error: the run first exists with another configuration \(.*\); choose another --run-id/,
    );
    expect(ended.stderr).toContain('max_steps: 30, now 5');
    const fewer = await tauflow([...RUN, '--num-trials', '1'], { cwd });
    expect(fewer.code).toBe(2);
    expect(fewer.stderr).toMatch(
      /^error: the run first exists with 2 trials per task, which cannot become 1; choose another --run-id, or leave /,
    );
    expect(namesIn(join(cwd, 'results', 'first', 'episodes'))).toEqual(EPISODES);
  });

  it('reports again what is complete, as one JSON document, without a server or a model', async () => {
    const before = completions();
    const { code, stdout, stderr } = await tauflow(['run', '--run-id', 'first', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'the run first is complete; this is its report' });
    expect(JSON.parse(stdout)).toMatchObject({
      subject: { run_id: 'first' },
      tasks: [{}, {}],
      files: { results: join(cwd, 'results', 'first.json') },
    });
    expect(completions()).toBe(before);
  });

  it('repeats only the episode that is missing, after the server was stopped', SLOW, async () => {
    const stopped = await run(['server', 'stop'], place);
    expect(stopped).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^the server \(pid \d+\) has ended/) as '',
    });
    const results = json('first.json');
    const calls = model.stats().perEpisode;
    const before = completions();
    rmSync(join(cwd, 'results', 'first', 'episodes', EPISODES[1]));
    const { code, stdout, stderr } = await run(['run', '--run-id', 'first', '--json'], place);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ metrics: { episodes: 4 } });
    const repeated = Object.entries(model.stats().perEpisode).filter(([episode, count]) => count !== calls[episode]);
    expect(repeated).toHaveLength(1);
    expect(repeated[0]?.[1]).toBe(2 * (completions() - before));
    expect(actionsOf(json('first.json'))).toEqual(actionsOf(results));
  });

  it('runs anew when its log was deleted, though Temporal knows it as closed', SLOW, async () => {
    rmSync(join(cwd, 'results'), { recursive: true });
    const { code, stderr } = await run(['run', '--run-id', 'first', '--task-ids', '1', '--num-trials', '1'], place);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('run started');
    expect(namesIn(join(cwd, 'results', 'first', 'episodes'))).toEqual(EPISODES.slice(0, 1));
  });
});

/** Actions and rewards, without times and request ids. */
function actionsOf(results: unknown): unknown {
  return (results as { task_id: number; trial: number; reward: number; traj: unknown }[]).map(
    ({ task_id, trial, reward, traj }) => ({ task_id, trial, reward, traj }),
  );
}
