import { describe, expect, it } from 'vitest';
import { stepSummary, viewLink, LiveTranscript } from '../../src/episode/testing.ts';
import { toSeenFailure, sweepDetails } from '../../src/orchestration/testing.ts';
import { failureText } from '../../src/orchestration/index.ts';
import { NO_TOTALS, type EpisodeSummary, type SweepProgress } from '../../src/evaluation/index.ts';
import { action } from '../benchmarks/helpers.ts';

const progress: SweepProgress = {
  ...NO_TOTALS,
  ended: 12,
  resumed: 2,
  rewardSum: 9,
  outcomes: { user_stop: 10, infrastructure_error: 2 },
  calls: 130,
  knownCostUsd: 0.12345,
  unpriced: 1,
  total: 40,
  numTrials: 4,
  again: false,
  running: 3,
  maxConcurrency: 4,
  maxCostUsd: 2,
  paused: false,
  status: 'running',
  lanes: [],
  open: ['task-3.trial-0', 'task-4.trial-0'],
  recent: ['task-2.trial-0'],
};
const summary = (outcome: EpisodeSummary['outcome'], error: string | null) => ({ outcome, error }) as EpisodeSummary;

describe('the details of a sweep', () => {
  it.each([
    [{ knownCostUsd: 0, unpriced: 2 }, 'not known'],
    [{ knownCostUsd: 0, unpriced: 0 }, '0.0000 USD of 2'],
    [{ knownCostUsd: 0.5, unpriced: 2 }, '0.5000 USD of 2, without 2 episode(s) of unknown price'],
  ])('say what is known of its cost: %j', (known, cost) => {
    expect(sweepDetails({ ...progress, ...known }, [])).toContain(`\n| cost | ${cost} |\n`);
  });

  it('are a table of its figures, with what is open, what has ended and what has failed', () => {
    const failures = [
      { name: 'task-1.trial-0', outcome: 'infrastructure_error', error: '401 <b>\nno $1 or $2' },
    ] as const;
    expect(sweepDetails(progress, failures)).toBe(`**running**

| | |
|---|---|
| episodes ended | 12 of 40, 2 of them in earlier runs |
| open | 3 (4 at once) |
| solved | 9 (75 %) |
| ended as user_stop | 10 |
| ended as infrastructure_error | 2 |
| model calls | 130 |
| cost | 0.1235 USD of 2, without 1 episode(s) of unknown price |

**open**: \`task-3.trial-0\`, \`task-4.trial-0\` and 1 more

**ended, newest first**: \`task-2.trial-0\`

**failures, newest first**

- \`task-1.trial-0\`, infrastructure_error: 401 &lt;b> no &#36;1 or &#36;2`);
  });

  it('count what was solved under each condition', () => {
    const conditions = { 'tool-errors': { ended: 4, rewardSum: 1, lost: 0 } };
    const shown = sweepDetails({ ...progress, conditions }, []);
    expect(shown).toContain('\n| solved, base | 8 (100 %) |\n| solved, tool-errors | 1 (25 %) |\n');
  });

  it('say why nothing is opened', () => {
    const titleOf = (status: SweepProgress['status']) => sweepDetails({ ...progress, status }, []).split('\n')[0];
    expect(titleOf('paused')).toBe('**paused: open episodes continue to their end, no others are opened**');
    expect(titleOf('budget_reached')).toBe('**the budget is used up: no further episode is opened**');
    expect(titleOf('ended')).toBe('**ended**');
  });

  it('name the lanes of a long sweep', () => {
    const shown = sweepDetails({ ...progress, open: [], running: 0, lanes: ['run/lane-0'] }, []);
    expect(shown).toContain('- lane open: `run/lane-0`, its figures come with its end');
  });

  it('stay far below what Temporal keeps', () => {
    const open = Array.from({ length: 10 }, (_, task) => `task-${task + 1_000}.trial-100`);
    const failures = open.map((name) => ({ name, outcome: 'infrastructure_error' as const, error: 'ß'.repeat(200) }));
    const shown = sweepDetails({ ...progress, open, recent: open }, failures);
    expect(Buffer.byteLength(shown)).toBeLessThan(8_000);
  });

  it.each(['infrastructure_error', 'cancelled', 'agent_error'] as const)('count %s as a failure', (outcome) => {
    expect(toSeenFailure('task-1.trial-0', summary(outcome, 'why'))).toEqual({
      name: 'task-1.trial-0',
      outcome,
      error: 'why',
    });
  });

  it.each(['user_stop', 'transferred', 'max_steps', 'decision_only'] as const)('do not count %s as one', (outcome) => {
    expect(toSeenFailure('task-1.trial-0', summary(outcome, null))).toBeNull();
  });
});

describe('an episode that failed', () => {
  it('says which it was, what happened, and how it runs again', () => {
    const input = { run: { runId: 'weekly', logDir: '/logs' }, episode: { taskId: 17, trial: 3 } };
    expect(failureText(input as Parameters<typeof failureText>[0], '401 Incorrect API key.')).toBe(
      'task-17.trial-3 could not be brought to its end (401 Incorrect API key); `tauflow retry weekly task-17.trial-3` runs it again',
    );
  });
});

describe('the link to an episode in the view', () => {
  const episode = { taskId: 17, trial: 2 };
  const linkOf = (logDir: string, fork?: object) =>
    viewLink({ run: { runId: 'gpt@4+o', logDir }, episode, fork } as Parameters<typeof viewLink>[0]);

  it('names the command and its address, above the conversation', () => {
    const link = linkOf('/logs');
    const url = 'http://127.0.0.1:8235/#/episode/gpt%404%2Bo/17/2';
    expect(link).toBe(`Watch it: \`npx tauflow view --log-dir /logs\`, then [${url}](${url})`);
    const transcript = new LiveTranscript(link);
    for (let line = 0; line < 200; line++) transcript.add({ what: 'reply', text: 'x'.repeat(200) });
    expect(transcript.toMarkdown()).toMatch(/^Watch it: .+\n\n…\n\n\*\*reply\*\*/);
    expect(linkOf('/my logs')).toContain("--log-dir '/my logs'");
    expect(linkOf('s3://evals/team')).toContain('`npx tauflow view --log-dir s3://evals/team`');
    expect(linkOf("/o'neill")).toContain(String.raw`--log-dir '/o'\''neill'`);
  });

  it('is that of the run for a fork', () => {
    expect(linkOf('/logs', {})).toBe('Its run: `npx tauflow view --log-dir /logs`');
  });
});

const bytes = (text: string) => Buffer.byteLength(text);

describe('a live transcript', () => {
  it('has a paragraph for each line, in order', () => {
    const transcript = new LiveTranscript();
    transcript.add({ what: 'plan', text: '1. Look it up.\n2. Answer the user.\n' });
    transcript.add({ what: 'thought', text: 'I need the order & <its> items.' });
    transcript.add({ what: 'command', text: 'get_order_details\n  <order_id>#W1</order_id>' });
    transcript.add({ what: 'step', text: 'get_order_details {"order_id": "#W1"}' }, 'step 3');
    transcript.add({ what: 'observation', text: '{"note": "a `quoted` word"}' });
    transcript.add({ what: 'reply', text: 'It costs $5, not $6.' });
    expect(transcript.toMarkdown()).toBe(
      [
        '**plan**: \n> 1. Look it up.\n> 2. Answer the user.',
        '**thought**: I need the order & &lt;its> items.',
        '**command**: `get_order_details <order_id>#W1</order_id>`',
        '**step 3**: `get_order_details {"order_id": "#W1"}`',
        '**observation**: `` {"note": "a `quoted` word"} ``',
        '**reply**: It costs &#36;5, not &#36;6.',
      ].join('\n\n'),
    );
  });

  it('cuts long texts, and shows the newest lines that fit in 12 kB', () => {
    const transcript = new LiveTranscript();
    for (let i = 1; i <= 1000; i++) transcript.add({ what: 'thought', text: `${i} ${'x'.repeat(1000)}` });
    const shown = transcript.toMarkdown();
    expect(shown).toMatch(/^…\n\n\*\*thought\*\*: 98\d x/);
    expect(shown).toMatch(/\*\*thought\*\*: 1000 x{594}…$/);
    expect(bytes(shown)).toBeGreaterThan(11_000);
    expect(bytes(shown)).toBeLessThanOrEqual(12_010);
  });

  it('counts bytes, not letters', () => {
    const transcript = new LiveTranscript();
    for (let i = 0; i < 100; i++) transcript.add({ what: 'user', text: '東'.repeat(500) });
    expect(bytes(transcript.toMarkdown())).toBeLessThanOrEqual(12_010);
  });
});

describe('the summary of a step', () => {
  it('names the tool and its first text', () => {
    const cancel = action('cancel_pending_order', '{"order_id": "#W0000000", "reason": "no longer needed"}');
    expect(stepSummary(5, cancel)).toBe('step 5: cancel_pending_order #W0000000');
    expect(stepSummary(1, action('calculate', `{"expression": "${'1 + '.repeat(50)}"}`))).toHaveLength(100);
  });
});
