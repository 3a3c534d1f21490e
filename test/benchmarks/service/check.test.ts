import { describe, expect, it } from 'vitest';
import { checkService } from '../../../src/benchmarks/service/check/index.ts';
import type { CheckFinding } from '../../../src/io/index.ts';
import { answering, serve } from '../../helpers/stub-service.ts';

interface Body {
  readonly request: 'tasks' | 'start' | 'call' | 'grade';
  readonly episode: string;
  readonly task: string;
  readonly calls: readonly Call[];
  readonly call: Call;
}

interface Call {
  readonly name: string;
  readonly arguments: string;
}

interface Answer {
  readonly status?: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const add = (amount: number) => ({ requestor: 'assistant', name: 'add', arguments: `{"amount": ${amount}}` });
const TASKS = [
  { id: 't1', actions: [add(1), add(2)] },
  { id: 't2', actions: [add(3)] },
];
const sum = (calls: readonly Call[]) =>
  calls.reduce((total, { arguments: given }) => total + (JSON.parse(given) as { amount: number }).amount, 0);

/** A counter whose tool adds to it: right in everything. */
function answer({ request, task, calls, call }: Body): Answer {
  if (request === 'tasks') return { body: { digest: 'd', splits: { test: ['t1', 't2'] }, tasks: TASKS } };
  const wanted = TASKS.find(({ id }) => id === task);
  if (wanted === undefined) return { status: 404, body: { error: { type: 'unknown_task', message: task } } };
  if (request === 'start') {
    const tools = [{ type: 'function', function: { name: 'add', parameters: {} } }];
    return { body: { policy: 'Add.', tools, scenario: task, state: { agent: '0' } } };
  }
  const before = sum(calls);
  if (request === 'grade') {
    const met = before === sum(wanted.actions);
    return { body: { reward: met ? 1 : 0, parts: [{ kind: 'data', counts: true, checks: [{ met }] }] } };
  }
  let amount: unknown;
  try {
    amount = call.name === 'add' ? (JSON.parse(call.arguments) as { amount?: unknown }).amount : undefined;
  } catch {
    amount = undefined;
  }
  if (typeof amount !== 'number') {
    return { body: { observation: 'Error', error: true, changed: false, state: { agent: `${before}` } } };
  }
  return { body: { observation: `${before + amount}`, state: { agent: `${before + amount}` } } };
}

async function check(given: (body: Body) => Answer, description: object = {}): Promise<CheckFinding[]> {
  const { url } = await serve((request, response) => {
    const said = {
      name: 'counter',
      version: '1',
      protocol: '1',
      rules: 'tau-bench',
      domains: ['sums'],
      ...description,
    };
    const { status = 200, body } = request.method === 'GET' ? { body: said } : given(JSON.parse(request.body) as Body);
    answering(status, JSON.stringify(body))(request, response);
  });
  const findings: CheckFinding[] = [];
  await checkService({ source: { kind: 'url', url }, label: url, options: {}, env: {} }, (finding) =>
    findings.push(finding),
  );
  return findings;
}

const withoutAddress = ({ message }: CheckFinding) =>
  message.replace(/the environment service at http:\S+/, 'the service');
const listed = (findings: readonly CheckFinding[], state: CheckFinding['state']) =>
  findings
    .filter((finding) => finding.state === state)
    .map((finding) => `${finding.check}: ${withoutAddress(finding)}`);

/** Answers as {@link answer} does, but for one field of some answers. */
function butWith(request: Body['request'], change: (body: Body, right: Answer['body']) => object) {
  return (body: Body): Answer => {
    const right = answer(body);
    return body.request === request ? { ...right, body: { ...right.body, ...change(body, right.body) } } : right;
  };
}

describe('the check of an environment service', () => {
  it('finds nothing wrong with a right one', async () => {
    const findings = await check(answer);
    expect(listed(findings, 'wrong')).toEqual([]);
    expect(listed(findings, 'note')).toEqual([]);
    expect(listed(findings, 'right').slice(0, -1)).toEqual([
      'identity: counter 1, sums, with the rules tau-bench',
      'tasks: 2 tasks; splits: test (2)',
      'ground truth: 2 ground truths with the reward 1',
      'doing nothing: no task has the reward 1 without a call',
      'repeated: 2 requests repeated, the latest first: the same answers',
      'forgotten: an episode of t1 that it does not know: the earlier calls are made again',
      'two at once: two episodes at once do not mix',
      'odd calls: 7 calls with unknown tools and odd arguments: answered as errors',
      'unknown task: a task that it does not have is refused',
    ]);
  });

  it('finds ground truths that are not rewarded', async () => {
    const findings = await check(
      butWith('grade', ({ task }, { reward }) => (task === 't2' ? { reward: 0.5 } : { reward })),
    );
    expect(listed(findings, 'wrong')[0]).toMatch(/^ground truth: 1 of 2 ground truths do not have the reward 1 \(t2\)/);
  });

  it('does not take tasks whose calls fail for tasks without ground truth', async () => {
    const findings = await check(butWith('call', () => ({ observation: 1 })));
    expect(listed(findings, 'wrong')[0]).toMatch(/^ground truth: /);
    expect(listed(findings, 'note')).toEqual([]);
  });

  it('finds tasks that an agent solves by doing nothing', async () => {
    const findings = await check(butWith('grade', () => ({ reward: 1 })));
    expect(listed(findings, 'note')).toContain('doing nothing: 2 of 2 tasks have the reward 1 without a call (t1, t2)');
  });

  it('finds a digest of the tasks that changes', async () => {
    let asked = 0;
    const findings = await check(butWith('tasks', () => ({ digest: `d${++asked}` })));
    expect(listed(findings, 'wrong')).toEqual([
      'tasks: "tasks" is answered differently the second time: digest d1, then d2',
    ]);
  });

  it('finds another answer to a repeated request', async () => {
    let asked = 0;
    const findings = await check(butWith('call', () => ({ observation: `${++asked}` })));
    expect(
      listed(findings, 'wrong').some((line) => line.startsWith('repeated: the service answered the same call')),
    ).toBe(true);
  });

  it('finds a state that is kept by episode, and forgotten', async () => {
    const kept = new Map<string, number>();
    const findings = await check((body) => {
      if (body.request === 'start') kept.set(body.episode, 0);
      if (body.request !== 'call') return answer(body);
      const total = (kept.get(body.episode) ?? 0) + (Number(answer(body).body['observation']) - sum(body.calls));
      if (Number.isNaN(total)) return answer(body);
      // A repeated request does not count twice.
      if (kept.get(body.episode) === sum(body.calls)) kept.set(body.episode, total);
      return { body: { observation: `${total}`, state: { agent: `${total}` } } };
    });
    expect(listed(findings, 'wrong').join()).toContain(
      'forgotten: call 2 of an episode that it does not know of add is answered',
    );
  });

  it('finds calls that say "changed": false and change the state', async () => {
    const findings = await check(butWith('call', () => ({ changed: false })));
    expect(listed(findings, 'wrong')[0]).toMatch(/^ground truth: the service answered two digests for one state/);
  });

  it('finds calls that are refused, or break the service', async () => {
    const findings = await check((body) => {
      const right = answer(body);
      if (body.request !== 'call' || right.body['error'] === undefined) return right;
      return { status: body.call.name === 'add' ? 400 : 500, body: {} };
    });
    const wrong = findings.filter(({ state }) => state === 'wrong');
    expect(wrong.map(({ cost }) => cost).slice(0, 2)).toEqual([
      'the request is sent again, and the episode waits for as long as it fails',
      'the episode ends in an infrastructure error; the model cannot correct its call',
    ]);
    expect(wrong[0] === undefined ? '' : withoutAddress(wrong[0])).toBe(
      'a call with an unknown tool: the service answered "call" with 500: {}',
    );
  });

  it('notes calls that cannot be made again, tasks without ground truth, and missing digests', async () => {
    const findings = await check(
      (body) => {
        const { status, body: right } = answer(body);
        const { state: _, ...rest } = right;
        return { status, body: body.request === 'tasks' ? { ...rest, tasks: [{ id: 't1' }, { id: 't2' }] } : rest };
      },
      { replays: false },
    );
    expect(listed(findings, 'note')).toEqual([
      'identity: counter 1, sums, with the rules tau-bench; its calls cannot be made again ("replays": false)',
      'ground truth: no task has its ground truth ("actions")',
      'two at once: two episodes at once do not mix; no answer has digests of the state',
    ]);
    expect(listed(findings, 'wrong')).toEqual([]);
  });
});
