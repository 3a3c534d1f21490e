/**
 * The checks of an environment service: its answers, whether its state is a fold over calls, and the consequences for a
 * run.
 */

import { onError } from '../../../errors/index.ts';
import type { CheckFinding, ReportFinding } from '../../../io/index.ts';
import {
  EnvironmentServiceError,
  type CallRequest,
  type EnvironmentService,
  type ServiceCall,
  type ServiceDomain,
  type ServiceFault,
  type ServiceObservation,
  type ServiceTask,
  type ServiceTasks,
} from '../port.ts';
import { CheckedServiceEpisode, type CheckedCall } from './episode.ts';

/** Number of tasks played at the same time. */
const AT_ONCE = 4;
/** Size from which an argument is called large, in characters. */
const LARGE_CHARS = 200_000;
/** Duration from which a call makes episodes slow, in milliseconds. */
const SLOW_MS = 1_000;

const COSTS: Readonly<Record<ServiceFault, string>> = {
  outage: 'the request is sent again, and the episode waits for as long as it fails',
  refused: 'the episode ends in an infrastructure error, without a score',
  invalid: 'the episode ends in an infrastructure error, without a score',
  contradiction: 'the episode ends in an infrastructure error (EnvironmentDiverged), without a score',
  lost: 'the episode begins anew, at most three times',
};

/**
 * Plays tasks of a domain on the service, and reports each finding at once.
 * @param run part of the episodes' names, which distinguishes checks
 */
export async function checkEnvironment(
  service: EnvironmentService,
  place: ServiceDomain,
  run: string,
  onFinding: (finding: CheckFinding) => void,
): Promise<void> {
  const check = new EnvironmentCheck(service, place, run, onFinding);
  await check.run();
}

interface PlayResult {
  readonly task: ServiceTask;
  readonly episode: CheckedServiceEpisode;
  readonly reward: number;
  readonly idle: number;
  readonly failed: readonly string[];
}

class EnvironmentCheck {
  readonly #service: EnvironmentService;
  readonly #place: ServiceDomain;
  readonly #run: string;
  readonly #onFinding: (finding: CheckFinding) => void;
  #episodes = 0;
  readonly #callMs: number[] = [];

  constructor(
    service: EnvironmentService,
    place: ServiceDomain,
    run: string,
    onFinding: (finding: CheckFinding) => void,
  ) {
    this.#service = service;
    this.#place = place;
    this.#run = run;
    this.#onFinding = onFinding;
  }

  async run(): Promise<void> {
    this.#checkIdentity(this.#reportOn('identity'));
    const tasks = await this.#checkTasks(this.#reportOn('tasks'));
    if (tasks === null) return;
    const played = await this.#play(tasks, this.#reportOn('ground truth'));
    if (played.length === 0) return;
    reportIdle(played, this.#reportOn('doing nothing'));
    const [longest] = played.toSorted((a, b) => b.episode.made.length - a.episode.made.length);
    if (longest !== undefined) {
      await this.#checkRepeated(longest, this.#reportOn('repeated'));
      if (this.#service.description.replays) await this.#checkForgotten(longest, this.#reportOn('forgotten'));
      await this.#checkParallel(longest, this.#reportOn('two at once'));
      await this.#checkOddCalls(longest.task, this.#reportOn('odd calls'));
    }
    await this.#checkUnknownTask(this.#reportOn('unknown task'));
    reportTimes(this.#callMs, this.#reportOn('time'));
  }

  #reportOn(check: string): ReportFinding {
    return (state, message, cost) => this.#onFinding({ check, state, message, cost });
  }

  #begin(task: string): CheckedServiceEpisode {
    this.#episodes += 1;
    return new CheckedServiceEpisode(this.#service, this.#place, task, `check-${this.#run}/${this.#episodes}`);
  }

  #checkIdentity(report: ReportFinding): void {
    const { name, version, rules, replays } = this.#service.description;
    const said = `${name} ${version}, ${this.#place.domain}, with the rules ${rules}`;
    if (replays) report('right', said);
    else {
      report(
        'note',
        `${said}; its calls cannot be made again ("replays": false)`,
        'an episode begins anew when the service restarts, and its model calls are paid again',
      );
    }
  }

  async #checkTasks(report: ReportFinding): Promise<readonly ServiceTask[] | null> {
    const ask = async () => await this.#service.tasks({ ...this.#place, split: null });
    const found = await orReport(report, 'the run does not start', async () => [await ask(), await ask()] as const);
    if (found === null) return null;
    const [first, second] = found;
    const splits = Object.entries(first.splits).map(([split, ids]) => `${split} (${ids.length})`);
    const { split } = this.#service.description.defaults ?? {};
    if (first.tasks.length === 0 || splits.length === 0) {
      report('wrong', 'there is no task, or no split', 'the run does not start');
      return null;
    }
    if (JSON.stringify(first) !== JSON.stringify(second)) {
      report(
        'wrong',
        `"tasks" is answered differently the second time${digests(first, second)}`,
        'a run cannot be resumed or compared',
      );
    } else if (split !== undefined && !Object.hasOwn(first.splits, split)) {
      report('wrong', `the default split ${split} is none of its splits`, 'a run needs --task-split');
    } else report('right', `${countNoun(first.tasks.length, 'task')}; splits: ${splits.join(', ')}`);
    return first.tasks;
  }

  /** Plays the ground truths of all tasks. */
  async #play(tasks: readonly ServiceTask[], report: ReportFinding): Promise<readonly PlayResult[]> {
    const played: PlayResult[] = [];
    const problems = new Map<string, { readonly message: string; readonly tasks: string[]; readonly cost: string }>();
    const queue = [...tasks];
    const work = async () => {
      for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
        try {
          played.push(await this.#playTask(task));
        } catch (error) {
          if (!(error instanceof EnvironmentServiceError)) throw error;
          // Findings of one kind differ only in their values.
          const kind = error.fault === 'contradiction' ? error.message.replace(/: .*/s, '') : error.message;
          const problem = problems.get(kind) ?? { message: error.message, tasks: [], cost: COSTS[error.fault] };
          problem.tasks.push(task.id);
          problems.set(kind, problem);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    played.sort((a, b) => tasks.indexOf(a.task) - tasks.indexOf(b.task));
    for (const { message, tasks: ids, cost } of problems.values())
      report('wrong', `${message} (${listIds(ids)})`, cost);
    const known = played.filter(({ task }) => task.actions !== undefined);
    const unsolved = known.filter(({ reward }) => reward < 1);
    const [first] = unsolved;
    if (!tasks.some(({ actions }) => actions !== undefined)) {
      report(
        'note',
        'no task has its ground truth ("actions")',
        'the scripted model, faults and the audit have nothing to go by',
      );
    } else if (first !== undefined) {
      const failed = first.failed.length === 0 ? '' : `; ${first.task.id} is short of: ${first.failed.join(', ')}`;
      const ids = unsolved.map(({ task }) => task.id);
      report(
        'wrong',
        `${unsolved.length} of ${known.length} ground truths do not have the reward 1 (${listIds(ids)})${failed}`,
        'an agent that does what the task wants is not rewarded',
      );
    } else if (known.length > 0) report('right', `${countNoun(known.length, 'ground truth')} with the reward 1`);
    return played;
  }

  async #playTask(task: ServiceTask): Promise<PlayResult> {
    const idle = this.#begin(task.id);
    await idle.start();
    const { reward: idleReward } = await idle.grade('');
    const episode = this.#begin(task.id);
    await episode.start();
    await episode.playGroundTruth(task);
    this.#callMs.push(...episode.times);
    const { reward, parts } = await episode.grade((task.outputs ?? []).join(' '));
    const failed = parts.flatMap(({ kind, counts, checks }) =>
      counts
        ? checks.flatMap(({ wanted, isMet }) =>
            isMet === true ? [] : [`${kind}${wanted === null ? '' : ` ${wanted}`}`],
          )
        : [],
    );
    return { task, episode, reward, idle: idleReward, failed };
  }

  /** Sends the requests of an episode again, the latest first, as after crashes. */
  async #checkRepeated({ episode, task }: PlayResult, report: ReportFinding): Promise<void> {
    await orReport(report, undefined, async () => {
      const answers: ServiceObservation[] = [];
      for (const { request } of episode.made.toReversed()) answers.unshift(await this.#service.call(request));
      const different = episode.made.findIndex(({ answer }, at) => !isSame(answer, answers[at]));
      const grades = [
        await episode.grade((task.outputs ?? []).join(' ')),
        await episode.grade((task.outputs ?? []).join(' ')),
      ];
      if (different !== -1) reportDifference(report, 'a repeated request', episode.made[different], answers[different]);
      else if (!isSame(grades[0], grades[1])) report('wrong', 'a repeated grade differs', COSTS.contradiction);
      else report('right', `${countNoun(answers.length, 'request')} repeated, the latest first: the same answers`);
    });
  }

  /** Makes the calls in an episode that was never started, as after a restart of the service. */
  async #checkForgotten({ episode, task }: PlayResult, report: ReportFinding): Promise<void> {
    await orReport(report, undefined, async () => {
      this.#episodes += 1;
      const name = `check-${this.#run}/${this.#episodes}`;
      for (const made of episode.made.toReversed()) {
        const idempotencyKey = made.request.idempotencyKey.replace(made.request.episode, name);
        const answer = await this.#service.call({ ...made.request, episode: name, idempotencyKey });
        if (isSame(made.answer, answer)) continue;
        reportDifference(
          report,
          `call ${episode.made.indexOf(made) + 1} of an episode that it does not know`,
          made,
          answer,
        );
        return;
      }
      report('right', `an episode of ${task.id} that it does not know: the earlier calls are made again`);
    });
  }

  /** Plays two episodes of a task at once. */
  async #checkParallel({ episode, task }: PlayResult, report: ReportFinding): Promise<void> {
    await orReport(report, undefined, async () => {
      const both = [this.#begin(task.id), this.#begin(task.id)] as const;
      const starts = await Promise.all(both.map((each) => each.start()));
      await Promise.all(both.map((each) => each.playGroundTruth(task)));
      if (!isSame(starts[0]?.state, starts[1]?.state)) {
        report('wrong', 'two episodes of a task begin with other states', 'trials of a task cannot be compared');
        return;
      }
      for (const { made } of both) {
        const different = made.findIndex(({ answer }, at) => !isSame(answer, episode.made[at]?.answer));
        if (different === -1) continue;
        reportDifference(
          report,
          `call ${different + 1} of one of two episodes at once`,
          episode.made[different],
          made[different]?.answer,
        );
        return;
      }
      if ([starts[0]?.state.agent, starts[0]?.state.user].every((digest) => digest === null || digest === undefined)) {
        report(
          'note',
          'two episodes at once do not mix; no answer has digests of the state',
          'a state that is folded wrongly is not noticed',
        );
      } else report('right', 'two episodes at once do not mix');
    });
  }

  async #checkOddCalls(task: ServiceTask, report: ReportFinding): Promise<void> {
    const episode = this.#begin(task.id);
    const start = await orReport(report, undefined, async () => await episode.start());
    if (start === null) return;
    const { name: tool = 'unknown_tool' } = (start.tools[0]?.['function'] ?? {}) as { readonly name?: string };
    const silent: string[] = [];
    let wrong = 0;
    const calls = oddCalls(tool);
    for (const [what, call] of calls) {
      const answer = await episode.call(call).catch(onError((fault) => fault, EnvironmentServiceError));
      if (answer instanceof EnvironmentServiceError) {
        wrong += 1;
        const cost =
          answer.fault === 'refused'
            ? 'the episode ends in an infrastructure error; the model cannot correct its call'
            : COSTS[answer.fault];
        report('wrong', `a call with ${what}: ${answer.message}`, cost);
      } else if (!answer.error) silent.push(what);
    }
    if (wrong > 0) return;
    if (silent.length === 0)
      report('right', `${countNoun(calls.length, 'call')} with unknown tools and odd arguments: answered as errors`);
    else {
      report(
        'note',
        `no error ("error": true) for a call with ${silent.join(', ')}`,
        'the call counts as one that worked, and the agent reads what it observed',
      );
    }
  }

  async #checkUnknownTask(report: ReportFinding): Promise<void> {
    const problem = await this.#begin('no-such-task')
      .start()
      .then(
        () => null,
        onError((fault) => fault, EnvironmentServiceError),
      );
    if (problem === null) report('note', 'a task that it does not have is started', 'a wrong task id is not noticed');
    else if (problem.fault === 'refused') report('right', 'a task that it does not have is refused');
    else report('wrong', `a task that it does not have: ${problem.message}`, COSTS[problem.fault]);
  }
}

function reportIdle(played: readonly PlayResult[], report: ReportFinding): void {
  const solved = played.filter(({ idle }) => idle === 1).map(({ task }) => task.id);
  if (solved.length === 0) report('right', 'no task has the reward 1 without a call');
  else {
    report(
      'note',
      `${solved.length} of ${played.length} tasks have the reward 1 without a call (${listIds(solved)})`,
      'an agent that does nothing solves them',
    );
  }
}

function reportTimes(times: readonly number[], report: ReportFinding): void {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) return;
  const said = `median time of a call: ${Math.round(median)} ms; longest: ${Math.round(sorted.at(-1) ?? 0)} ms`;
  if (median > SLOW_MS) report('note', said, 'episodes wait for it longer than for many models');
  else report('right', said);
}

/**
 * Does work and reports a fault of the service; null if the work failed. @param cost consequence of the fault @default
 * the kind's own
 */
async function orReport<T>(report: ReportFinding, cost: string | undefined, work: () => Promise<T>): Promise<T | null> {
  return await work().catch(
    onError((error) => {
      report('wrong', error.message, cost ?? COSTS[error.fault]);
      return null;
    }, EnvironmentServiceError),
  );
}

function reportDifference(report: ReportFinding, what: string, made: CheckedCall | undefined, now: unknown): void {
  const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
  const name = made === undefined ? '' : ` of ${made.request.call.name}`;
  report('wrong', `${what}${name} is answered ${shown(now)}, and was ${shown(made?.answer)}`, COSTS.contradiction);
}

function oddCalls(tool: string): readonly (readonly [what: string, call: ServiceCall])[] {
  const given = (name: string, text: string): CallRequest['call'] => ({
    requestor: 'assistant',
    name,
    arguments: text,
  });
  return [
    ['an unknown tool', given('no_such_tool', '{}')],
    ['an unknown argument', given(tool, '{"no_such_argument": 131.0}')],
    ['values of other types', given(tool, '{"id": [[1, null]], "email": 131.0, "order": {}}')],
    ['arguments that are a list', given(tool, '[1, 2]')],
    ['arguments that are no JSON', given(tool, '{"id": ')],
    ['no text for arguments', given(tool, '')],
    ['a large argument', given(tool, JSON.stringify({ no_such_argument: 'x'.repeat(LARGE_CHARS) }))],
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function digests(first: ServiceTasks, second: ServiceTasks): string {
  return first.digest === second.digest ? '' : `: digest ${first.digest}, then ${second.digest}`;
}

const LISTED = 5;

function listIds(ids: readonly string[]): string {
  const more = ids.length - LISTED;
  return `${ids.slice(0, LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function countNoun(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
