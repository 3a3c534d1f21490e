import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';

import {
  ProgressDisplay,
  measurePace,
  renderProgress,
  renderProgressLine,
  type ProgressState,
  type ProgressStream,
} from '../../src/cli/terminal/testing.ts';
import type { SweepProgress } from '../../src/evaluation/index.ts';

/** Start of the run, in ms of `performance.now()`. */
const START = 1_000_000;
const STYLE = { columns: 120, color: false };

function state(changes: Partial<SweepProgress> = {}, more: Partial<ProgressState> = {}): ProgressState {
  const progress: SweepProgress = {
    total: 115,
    numTrials: 1,
    again: false,
    ended: 58,
    resumed: 0,
    running: 10,
    maxConcurrency: 10,
    paused: false,
    lanes: [],
    status: 'running',
    open: [],
    recent: [],
    rewardSum: 41,
    outcomes: { user_stop: 56, agent_error: 1, infrastructure_error: 1 },
    steps: 500,
    calls: 900,
    promptTokens: 1,
    completionTokens: 1,
    knownCostUsd: 1.234,
    unpriced: 0,
    ...changes,
  };
  return { progress, startedAt: START, endedAtStart: 0, uiUrl: 'http://localhost:8233/run', ...more };
}

/** A stream that remembers what was written. */
function memory(isTTY: boolean): { stream: ProgressStream; text: () => string } {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (piece: Buffer) => (text += piece.toString()));
  const terminal = Object.assign(stream, { isTTY, columns: 100, rows: 24 });
  return { stream: terminal as unknown as ProgressStream, text: () => text };
}

describe('the progress line', () => {
  it('has counts, failures, errors, cost, pace, time to go and where to look', () => {
    expect(renderProgress(state(), START + 116_000, { columns: 160, color: false })).toBe(
      '███████████████░░░░░░░░░░░░░░░ 58/115 ended  10 running  41 solved  16 failed  1 error  $1.23  30 a minute  ' +
        '1 min 54 s to go\nTemporal UI http://localhost:8233/run',
    );
  });

  it('keeps a bar, the failures and the time to go in 80 columns', () => {
    const [line] = renderProgress(state(), START + 116_000, { columns: 80, color: false }).split('\n');
    expect(line).toBe('████░░░░░ 58/115 ended  41 solved  16 failed  1 error  $1.23  1 min 54 s to go');
  });

  it('shows a provider whose calls wait below the bar, and within the line of a log', () => {
    const limited = state({}, { limited: ['openai limited to 2 calls/s'] });
    expect(renderProgress(limited, START + 116_000, STYLE).split('\n')).toEqual([
      expect.stringMatching(/^█+░+ .* to go$/),
      'openai limited to 2 calls/s',
      expect.stringMatching(/^Temporal UI/),
    ]);
    expect(renderProgressLine(limited, START + 116_000)).toMatch(/ to go, openai limited to 2 calls\/s$/);
  });

  it('counts neither canceled episodes nor errors as failed, and nothing where agents only decided', () => {
    const outcomes = { user_stop: 50, infrastructure_error: 3, cancelled: 5 };
    expect(renderProgressLine(state({ outcomes }), START)).toContain('41 solved, 9 failed, 3 errors, ');
    expect(renderProgressLine(state({ outcomes: { decision_only: 58 } }), START)).not.toMatch(/solved|failed/);
  });

  it('counts the episodes of each condition for themselves', () => {
    const conditions = { 'tool-errors': { ended: 20, rewardSum: 5, lost: 2 } };
    const outcomes = { user_stop: 55, infrastructure_error: 2, cancelled: 0 };
    const line = renderProgressLine(state({ conditions, outcomes, ended: 59 }), START);
    expect(line).toContain(', base 36 of 39 solved, tool-errors 5 of 18 solved, 2 errors, ');
    const narrow = renderProgress(state({ conditions, outcomes, ended: 59 }), START, { columns: 60, color: false });
    expect(narrow).toContain('base 36 of 39 solved');
    expect(narrow).not.toContain('tool-errors');
  });

  it('fits a narrow terminal', () => {
    for (const columns of [20, 40, 80, 90, 200]) {
      const text = renderProgress(state(), START + 116_000, { columns, color: false });
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(columns);
    }
  });

  it('counts the pace from when this process began to watch', () => {
    const resumed = state({ ended: 60 }, { endedAtStart: 50 });
    expect(measurePace(resumed, START + 60_000)).toEqual({ perMinute: 10, remainingMs: 330_000 });
    expect(measurePace(state({ ended: 50 }, { endedAtStart: 50 }), START + 60_000).perMinute).toBeNull();
  });

  it('says when the sweep is paused, out of budget or done', () => {
    const line = (status: SweepProgress['status']) => renderProgressLine(state({ status }), START + 1000);
    expect(line('paused')).toMatch(/, paused$/);
    expect(line('budget_reached')).toMatch(/, stopped: the budget is spent$/);
    expect(line('ended')).toMatch(/, incomplete$/);
    const whole = state({ status: 'ended', ended: 115, total: 115 });
    expect(renderProgressLine(whole, START + 1000)).toMatch(/, done$/);
    expect(line('ended')).not.toContain('running');
  });

  it('marks a cost as a lower bound, and leaves it out where no price is known', () => {
    expect(renderProgressLine(state({ unpriced: 3 }), START)).toContain('≥ $1.23');
    expect(renderProgressLine(state({ unpriced: 58, knownCostUsd: 0 }), START)).not.toContain('$');
  });

  it('is complete for an empty sweep', () => {
    expect(renderProgress(state({ total: 0, ended: 0 }), START, STYLE)).toContain('0/0 ended');
  });
});

describe('the display', () => {
  it('writes a line every few seconds where there is no terminal, and the last one always', () => {
    const { stream, text } = memory(false);
    let now = START;
    const display = new ProgressDisplay(stream, () => STYLE, { now: () => now });
    for (let ended = 0; ended <= 12; ended++) {
      display.update(state({ ended }));
      now += 1000;
    }
    display.say('a note');
    display.finish(state({ ended: 13, status: 'ended' }));
    const lines = text().trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['0/115', '5/115', '10/115', 'a', '13/115']);
    // eslint-disable-next-line no-control-regex -- a log file wants none
    expect(text()).not.toMatch(/\u001b/);
  });

  it('writes fewer lines the longer a run goes on, and its end at once', () => {
    const { stream, text } = memory(false);
    let now = START;
    const display = new ProgressDisplay(stream, () => STYLE, { now: () => now });
    const hours = 3;
    for (let second = 0; second < hours * 3600; second++) {
      display.update(state({ ended: second, total: 20_000 }));
      now += 1000;
    }
    const before = text().split('\n').length;
    expect(before).toBeGreaterThan(hours * 60);
    expect(before).toBeLessThan(hours * 60 + 50);
    display.update(state({ ended: 20_000, total: 20_000, status: 'ended' }));
    expect(text().split('\n')).toHaveLength(before + 1);
  });

  it('does not repeat a line that says nothing new, but gives a sign of life each minute', () => {
    const { stream, text } = memory(false);
    let now = START;
    const display = new ProgressDisplay(stream, () => STYLE, { now: () => now });
    for (let second = 0; second <= 120; second++) {
      display.update(state({ ended: 5 }, { endedAtStart: 5 }));
      now += 1000;
    }
    expect(text().trimEnd().split('\n')).toHaveLength(3);
  });

  it('shows the end of a run once, whatever becomes of its pace', () => {
    const { stream, text } = memory(false);
    let now = START;
    const display = new ProgressDisplay(stream, () => STYLE, { now: () => now });
    for (let second = 0; second <= 12; second++) {
      now += 1000;
      display.update(state({ ended: 115, status: 'ended' }));
    }
    display.finish(state({ ended: 115, status: 'ended' }));
    expect(text().match(/115\/115 ended/g)).toHaveLength(1);
  });

  it('redraws in place on a terminal, and never hides the cursor', () => {
    const { stream, text } = memory(true);
    const display = new ProgressDisplay(stream, () => STYLE, { now: () => START });
    display.update(state({ ended: 1 }));
    display.update(state({ ended: 2 }));
    display.finish(state({ ended: 115, status: 'ended' }));
    const erase = '\u001b[2K';
    expect(text().split(erase).at(-1)).toContain('115/115 ended');
    expect(text()).not.toContain('\u001b[?25l');
  });
});
