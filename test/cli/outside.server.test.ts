/** Decisions alone: by a harness outside of the program (`--decisions stdio`), and planned (`--decision-only`). */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyAction, openOverlay, STOP_MARKER, type Overlay, type Action } from '../../src/benchmarks/index.ts';
import { isDict, parseJson, PyFloat, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { formatPackKey, type Pack } from '../../src/benchmarks/packs/index.ts';
import { buildEpisodeRecord } from '../../src/run-log/index.ts';
import { publishRun, reportOfRun } from '../../src/results/report/index.ts';
import { formatCaseCode } from '../../src/scripted-model/case-code.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import type { Outcome } from '../../src/evaluation/index.ts';
import { CONTEXT, recordInput } from '../results/fixtures.ts';
import { environment, run, scratchFolder, serverOfTests, tauflow, type Place } from './in-process.ts';
import { endAll, start, type Started } from './processes.ts';
import { recordedRun } from './recorded-run.ts';

const cwd = scratchFolder();
const SLOW = { timeout: 240_000 };

let model: ScriptedModel;
let place: Place;
let pack: Pack;

beforeAll(async () => {
  pack = await resolvePack('retail');
  model = await startScriptedModel({ packs: [pack] });
  place = { cwd, env: environment({ ...serverOfTests(), TAUFLOW_SCRIPTED_URL: model.url }) };
});

afterAll(async () => {
  await endAll();
  await model.close();
});

interface Line {
  readonly task_id: number;
  readonly id?: string;
  readonly reset?: true;
  readonly action?: { readonly name: string; readonly kwargs: object };
  readonly end?: string;
}

interface Answer {
  readonly id: string;
  readonly observation: string;
  readonly done?: boolean;
}

/** A harness with the pack's own environment; it has a state for each task, and remembers the answers that it gave. */
class Harness {
  readonly lines: Line[] = [];
  readonly answers = new Map<string, Answer>();
  readonly #states = new Map<number, Overlay>();
  process: Started | undefined;
  /** Answers no further action from this one on. */
  deafFrom = '';

  read(text: string): void {
    const line = JSON.parse(text) as Line;
    this.lines.push(line);
    const { id } = line;
    if (id === undefined || this.deafFrom === id) return;
    const known = this.answers.get(id);
    const answer = known ?? this.#answer(id, line, text);
    this.answers.set(id, answer);
    this.write(JSON.stringify(answer));
  }

  write(line: string): void {
    this.process?.stdin?.write(`${line}\n`);
  }

  #answer(id: string, { task_id: taskId, action }: Line, text: string): Answer {
    if (action === undefined) {
      this.#states.set(taskId, openOverlay(pack));
      const code = formatCaseCode({ packKey: formatPackKey(pack), split: 'test', taskId, seed: 1 });
      return { id, observation: `Hello. ${code}` };
    }
    if (action.name === 'respond') return { id, observation: STOP_MARKER };
    const state = this.#states.get(taskId);
    const parsed = (parseJson(text) as PyDict).get('action');
    const kwargs = isDict(parsed) ? parsed.get('kwargs') : undefined;
    if (state === undefined || !isDict(kwargs)) throw new Error(`no state or arguments for ${text}`);
    const { observation, done } = applyAction(pack, state, { name: action.name, kwargs });
    return { id, observation, done };
  }

  play(words: readonly string[]): Started {
    const started = start(words, place, undefined, (line) => this.read(line));
    this.process = started;
    return started;
  }
}

interface Recorded {
  readonly outcome: { readonly kind: string };
  readonly actions: readonly { readonly name: string }[];
  readonly usage: readonly { readonly role: string }[];
}

function recorded(runId: string, task: number): Recorded {
  const path = join(cwd, 'results', runId, 'episodes', `task-${task}.trial-0.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Recorded;
}

const RUN = ['run', '--task-queue', 'outside'];
const BOTH = ['--model', 'oracle', '--task-ids', '1', '2', '--max-concurrency', '2'];

it.each(['tool-calling', 'fastworkflow'])('%s acts as with the program’s own environment', SLOW, async (strategy) => {
  const words = [...RUN, ...BOTH, '--agent-strategy', strategy];
  expect((await run([...words, '--run-id', `own-${strategy}`], place)).code).toBe(0);
  const harness = new Harness();
  const runId = `outside-${strategy}`;
  const { code, stderr } = await harness.play([...words, '--run-id', runId, '--decisions', 'stdio']).ended;
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('user     an outside harness');
  expect(stderr).toContain('there is no score here');
  for (const task of [1, 2]) {
    const own = recorded(`own-${strategy}`, task);
    const outside = recorded(runId, task);
    expect(outside).toMatchObject({ outcome: { kind: 'decision_only' }, actions: own.actions });
    expect(outside).not.toHaveProperty('grade');
    expect(outside.usage.map(({ role }) => role)).not.toContain('user');
    const lines = harness.lines.filter(({ task_id: id }) => id === task);
    expect(lines[0]).toEqual({ task_id: task, trial: 0, id: `task-${task}.trial-0/0`, reset: true });
    expect(lines.at(-1)).toEqual({ task_id: task, trial: 0, end: 'decision_only' });
    const ids = lines.slice(0, -1).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, number) => `task-${task}.trial-0/${number}`));
  }
});

it(
  'prints the action that waits again when it is killed and resumed, and takes each observation once',
  SLOW,
  async () => {
    const harness = new Harness();
    const waiting = 'task-1.trial-0/2';
    harness.deafFrom = waiting;
    const words = [
      ...RUN,
      '--model',
      'oracle',
      '--task-ids',
      '1',
      '--run-id',
      'outside-killed',
      '--decisions',
      'stdio',
    ];
    const first = harness.play(words);
    await first.says(new RegExp(waiting));
    first.signal('SIGKILL');
    await first.ended.catch(() => undefined);

    harness.deafFrom = '';
    const before = harness.lines.length;
    const second = harness.play([...RUN, '--run-id', 'outside-killed']);
    await second.says(/attached to the run/);
    harness.write('no JSON');
    harness.write('{"id": "task-1.trial-0/1", "observation": "late"}');
    const { code, stderr } = await second.ended;
    expect(code, stderr).toBe(0);
    expect(harness.lines[before]).toEqual(harness.lines[before - 1]);
    expect(stderr).toMatch(/^error: line \d of standard input is not a JSON object such as .*; it was not taken$/m);
    expect(stderr).toMatch(/standard input (is for task-1\.trial-0\/1, which has|was not used: no action task-1)/);
    const ids = harness.lines.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length - 1);
    expect(recorded('outside-killed', 1)).toMatchObject({ outcome: { kind: 'decision_only' } });
  },
);

it('stops when standard input ends, and can be resumed', SLOW, async () => {
  const harness = new Harness();
  const waiting = 'task-2.trial-0/1';
  harness.deafFrom = waiting;
  const words = [...RUN, '--model', 'oracle', '--task-ids', '2', '--run-id', 'outside-left', '--decisions', 'stdio'];
  const first = harness.play(words);
  await first.says(new RegExp(waiting));
  first.stdin?.end();
  const left = await first.ended;
  expect(left.code, left.stderr).toBe(130);
  expect(left.stderr).toContain(`standard input has ended, and ${waiting} waits for its observation`);
  expect(left.stderr).toContain('resume with: npx tauflow resume outside-left');
  harness.deafFrom = '';
  const { code, stderr } = await harness.play([...RUN, '--run-id', 'outside-left']).ended;
  expect(code, stderr).toBe(0);
  expect(recorded('outside-left', 2).actions.length).toBeGreaterThan(1);
});

/** Output of `--decision-only` at its end: planned actions, and no score. */
describe('decisions', () => {
  const LOOK: Action = { name: 'get_order_details', kwargs: new Map([['order_id', '#W1']]) };
  const PAY: Action = {
    name: 'pay',
    kwargs: new Map<string, PyValue>([
      ['amount', new PyFloat(131)],
      ['note', 'für dich'],
      ['10', 1n],
    ]),
  };

  type Episode = readonly [taskId: number, outcome: Outcome, actions: readonly Action[]];

  /** Tasks 1 and 2 of a run that only decides; what each episode came to, by task. */
  async function decidedRun(episodes: readonly Episode[]) {
    const cwd = scratchFolder();
    const options = {
      agentStrategy: 'fastworkflow',
      decisionOnly: true,
      taskIds: '1,2',
    };
    const run = await recordedRun(cwd, options, 'completed');
    for (const [taskId, outcome, actions] of episodes) {
      const input = recordInput({
        run: run.request.run,
        config: run.request.config,
        episode: { taskId, trial: 0 },
        outcome,
        reward: 0,
        grade: null,
        steps: [],
      });
      await run.log.writeEpisode(buildEpisodeRecord(input, { ...CONTEXT, actions }));
    }
    return { cwd, log: run.log };
  }

  const DECIDED: readonly Episode[] = [
    [2, { kind: 'decision_only' }, [PAY]],
    [1, { kind: 'decision_only' }, [LOOK, PAY]],
  ];

  describe('a run that only decides', () => {
    it('prints the planned actions alone, numbers spelt as they were, and says that there is no score', async () => {
      const { cwd } = await decidedRun(DECIDED);
      const { code, stdout, stderr } = await tauflow(['run', '--run-id', 'mine'], { cwd });
      expect(code).toBe(0);
      const pay = { name: 'pay', kwargs: { amount: 131, note: 'für dich', '10': 1 } };
      expect(JSON.parse(stdout)).toEqual([
        { task_id: 1, trial: 0, actions: [{ name: 'get_order_details', kwargs: { order_id: '#W1' } }, pay] },
        { task_id: 2, trial: 0, actions: [pay] },
      ]);
      expect(stdout).toMatch(/"amount": 131\.0,\s+"note": .*\s+"10": 1\s/);
      expect(stderr).toContain('no action was taken, and there is no score');
      expect(stderr).toContain('run log');
    });

    it('has its decisions in the one document of --json', async () => {
      const { cwd } = await decidedRun(DECIDED);
      const { code, stdout } = await tauflow(['run', '--run-id', 'mine', '--json'], { cwd });
      expect(code).toBe(0);
      const document = JSON.parse(stdout) as object;
      expect(document).toMatchObject({
        subject: { run_id: 'mine', variants: ['decisions only'] },
        metrics: { average_reward: null, pass_hat_k: {}, episodes: 2, decided: 2, leaderboard_row: null },
        decisions: [
          { task_id: 1, trial: 0 },
          { task_id: 2, trial: 0 },
        ],
      });
      expect(document).toHaveProperty('files.run_log');
    });

    it('leaves out what came to no decision, and fails for it where infrastructure was the reason', async () => {
      const broken: Outcome = { kind: 'infrastructure_error', error: 'RateLimited', message: 'too many calls' };
      const { cwd } = await decidedRun([
        [1, { kind: 'decision_only' }, []],
        [2, { kind: 'agent_error', error: 'unparsable_reply', message: 'no reply' }, [LOOK]],
      ]);
      const { code, stdout, stderr } = await tauflow(['run', '--run-id', 'mine'], { cwd });
      expect(stderr).toContain('task 2, trial 0 came to no decision: no reply');
      expect({ code, decisions: JSON.parse(stdout) as unknown }).toEqual({
        code: 0,
        decisions: [{ task_id: 1, trial: 0, actions: [] }],
      });
      // What infrastructure has ended is run again, so this goes on to a server, and there is none.
      const again = await decidedRun([[1, broken, []]]);
      expect((await tauflow(['run', '--run-id', 'mine'], { cwd: again.cwd })).code).toBe(3);
    });

    it('has no score in a report either', async () => {
      const { cwd, log } = await decidedRun(DECIDED);
      await publishRun(log, () => undefined);
      const report = await reportOfRun(log);
      expect(report.tasks.map(({ rewards, passRate }) => ({ rewards, passRate }))).toEqual([
        { rewards: [null], passRate: null },
        { rewards: [null], passRate: null },
      ]);
      for (const format of ['table', 'markdown']) {
        const { stdout } = await tauflow(['report', 'mine', '--format', format], { cwd });
        expect(stdout).toContain('no action was taken, and there is no score');
        expect(stdout).not.toMatch(/average reward|pass\^1|eaderboard/);
      }
    });
  });
});
