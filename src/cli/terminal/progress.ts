/** The progress of a run: one line that is redrawn on a terminal, a line every few seconds elsewhere. Pure but for the display. */

import { createLogUpdate } from 'log-update';
import { formatDuration, formatUsd } from '../../results/document/index.ts';
import { HALT_CAUSE, PAUSE_EFFECT, heldLines, totalsByCondition, type SweepProgress } from '../../evaluation/index.ts';
import { forTerminal } from '../../io/index.ts';
import { createColors, cut, escapeControls, type TerminalStyle } from './style.ts';

export interface ProgressState {
  /** Progress of the sweep, including its lanes. */
  readonly progress: SweepProgress;
  /** Time at which this process began to watch, in ms of the monotonic `performance.now()`. */
  readonly startedAt: number;
  /** Number of episodes that had ended before; they do not affect the rate. */
  readonly endedAtStart: number;
  /** Address of the run in Temporal UI; null if unknown. */
  readonly uiUrl: string | null;
  /** Descriptions of lowered limits of calls to providers that answer 429. @default none */
  readonly limited?: readonly string[];
}

interface EpisodePace {
  /** Episodes per minute; null before the first one has ended. */
  readonly perMinute: number | null;
  /** Milliseconds until the end of the last episode at this pace; null if the pace is unknown. */
  readonly remainingMs: number | null;
}

/** @param now time in ms of `performance.now()` */
export function measurePace({ progress, startedAt, endedAtStart }: ProgressState, now: number): EpisodePace {
  const ended = progress.ended - endedAtStart;
  const elapsed = now - startedAt;
  if (ended <= 0 || elapsed <= 0) return { perMinute: null, remainingMs: null };
  const left = Math.max(0, progress.total - progress.ended);
  return { perMinute: (ended / elapsed) * 60_000, remainingMs: (left * elapsed) / ended };
}

/** Formats the lines that are redrawn on a terminal: the bar with its figures, and the run's addresses. */
export function renderProgress(state: ProgressState, now: number, style: TerminalStyle): string {
  const { progress } = state;
  const colors = createColors(style);
  const share = progress.total === 0 ? 1 : Math.min(1, progress.ended / progress.total);
  const figures = fitFigures(progressFigures(state, now), style.columns - SHORT_BAR - 3);
  const width = Math.max(0, Math.min(30, style.columns - figures.length - 3));
  const filled = Math.floor(share * width);
  const bar = width < 5 ? '' : `${colors.green('█'.repeat(filled))}${colors.dim('░'.repeat(width - filled))} `;
  const lines = [`${bar}${cut(figures, style.columns - 1)}`];
  for (const notice of progressNotices(state)) lines.push(colors.yellow(cut(notice, style.columns - 1)));
  if (state.uiUrl !== null) lines.push(colors.dim(cut(`Temporal UI ${state.uiUrl}`, style.columns - 1)));
  return lines.join('\n');
}

/** Fewest columns in which a bar is readable. */
const SHORT_BAR = 10;

/** Omits minor figures in a narrow terminal, so that a short bar and the remaining time fit. */
function fitFigures(figures: readonly ProgressFigure[], width: number): string {
  const shown = [...figures];
  const line = () => shown.map(({ text }) => text).join('  ');
  while (line().length > width) {
    const minor = shown.findIndex(({ isMinor }) => isMinor);
    if (minor < 0) break;
    shown.splice(minor, 1);
  }
  return line();
}

/** Formats the figures as one line of a log. */
export function renderProgressLine(state: ProgressState, now: number): string {
  const figures = progressFigures(state, now).map(({ text }) => text);
  return [...figures, ...progressNotices(state)].join(', ');
}

interface ProgressFigure {
  readonly text: string;
  /** True if a narrow terminal omits the figure. */
  readonly isMinor: boolean;
}

function progressFigures(state: ProgressState, now: number): ProgressFigure[] {
  const { progress } = state;
  const { perMinute, remainingMs } = measurePace(state, now);
  const { maxCostUsd = null } = progress;
  const budget = maxCostUsd === null ? '' : ` of ${formatUsd(maxCostUsd)}`;
  const cost = `${progress.unpriced > 0 ? '≥ ' : ''}${formatUsd(progress.knownCostUsd)}${budget}`;
  const isUnpriced = progress.unpriced > 0 && progress.knownCostUsd === 0;
  const isOver = isAtEnd(progress);
  const { infrastructure_error: errors = 0 } = progress.outcomes;
  const pace = perMinute === null ? null : `${perMinute >= 10 ? String(Math.round(perMinute)) : perMinute.toFixed(1)}`;
  const figures: [string | null, 'minor'?][] = [
    [`${String(progress.ended)}/${String(progress.total)} ended`],
    [isOver ? null : `${String(progress.running)} running`, 'minor'],
    ...solvedFigures(progress),
    [errors === 0 ? null : `${String(errors)} error${errors === 1 ? '' : 's'}`],
    [isUnpriced ? null : cost],
    [pace === null ? null : `${pace} a minute`, 'minor'],
    [statusText(progress, remainingMs)],
  ];
  return figures.flatMap(([text, minor]) => (text === null ? [] : [{ text, isMinor: minor !== undefined }]));
}

/** Returns the figures of solved and failed episodes, separately for each condition. */
function solvedFigures(progress: SweepProgress): [string, 'minor'?][] {
  if (progress.outcomes.decision_only !== undefined) return [];
  const [base, ...others] = totalsByCondition(progress);
  const failed = base.ended - base.lost - base.rewardSum;
  if (others.length === 0) return [[`${String(base.rewardSum)} solved`], [`${String(failed)} failed`]];
  const solvedOf = ({ name, ended, lost, rewardSum }: typeof base) =>
    `${name} ${String(rewardSum)} of ${String(ended - lost)} solved`;
  return [[solvedOf(base)], ...others.map((each): [string, 'minor'] => [solvedOf(each), 'minor'])];
}

/** Returns lines about providers whose calls wait. */
function progressNotices({ progress, limited = [] }: ProgressState): string[] {
  const held = (progress.held ?? []).flatMap((provider) => heldLines(provider, Date.now()).map(escapeControls));
  return isAtEnd(progress) ? held : [...held, ...limited];
}

function isAtEnd({ status }: SweepProgress): boolean {
  return status === 'ended' || status === 'budget_reached';
}

function statusText(progress: SweepProgress, remainingMs: number | null): string | null {
  switch (progress.status) {
    case 'paused':
      return 'paused';
    case 'budget_reached':
      return 'stopped: the budget is spent';
    case 'ended':
      return progress.ended < progress.total ? 'incomplete' : 'done';
    case 'running':
      if (progress.held !== undefined || remainingMs === null) return null;
      return `${formatDuration(remainingMs)} to go`;
    default:
      return progress.status satisfies never;
  }
}

/** The part of a stream that the display needs, such as `process.stderr`. */
export type ProgressStream = NodeJS.WriteStream;

interface ProgressOptions {
  /** Clock in ms. @default performance.now */
  readonly now?: () => number;
  /** First interval of lines without a terminal, in ms; see {@link lineIntervalAfter}. @default 5,000 */
  readonly lineIntervalMs?: number;
  /** Receives each line, and nothing is redrawn, for a log of objects. @default lines go to the stream */
  readonly writeLine?: (line: string) => void;
}

/** Returns the interval of lines: a tenth of the time so far, at most a minute, so that long runs do not fill a log. */
function lineIntervalAfter(elapsedMs: number, shortest: number): number {
  return Math.max(shortest, Math.min(60_000, elapsedMs / 10));
}

/** Draws the given state; the caller decides how often. */
export class ProgressDisplay {
  readonly #write: (line: string) => void;
  readonly #style: () => TerminalStyle;
  readonly #now: () => number;
  readonly #lineIntervalMs: number;
  readonly #redraw: ReturnType<typeof createLogUpdate> | null;
  #lastLineAt = -Infinity;
  #lastLine = '';
  #hasShownEnd = false;

  /** @param style returns the style for each drawing, because a terminal's width may change */
  constructor(stream: ProgressStream, style: () => TerminalStyle, options: ProgressOptions = {}) {
    this.#write = options.writeLine ?? ((line) => void stream.write(`${line}\n`));
    this.#style = style;
    this.#now = options.now ?? (() => performance.now());
    this.#lineIntervalMs = options.lineIntervalMs ?? 5000;
    // The cursor stays visible, because a killed process could not show it again.
    const redraws = stream.isTTY && options.writeLine === undefined;
    this.#redraw = redraws ? createLogUpdate(stream, { showCursor: true }) : null;
  }

  update(state: ProgressState): void {
    const now = this.#now();
    if (this.#redraw !== null) {
      this.#redraw(renderProgress(state, now, this.#style()));
      return;
    }
    const intervalMs = lineIntervalAfter(now - state.startedAt, this.#lineIntervalMs);
    // The end is shown at once.
    if (isAtEnd(state.progress) || now - this.#lastLineAt >= intervalMs) this.#writeLine(state, now);
  }

  /** Shows the last state, which stays on the screen. */
  finish(state: ProgressState): void {
    const now = this.#now();
    if (this.#redraw === null) {
      this.#writeLine(state, now);
      return;
    }
    this.#redraw(renderProgress(state, now, this.#style()));
    this.#redraw.done();
  }

  /** Removes the line before an error message. */
  clear(): void {
    this.#redraw?.clear();
    this.#redraw?.done();
  }

  /** Prints a sentence above the progress line. */
  say(words: string): void {
    const sentence = forTerminal(words);
    if (this.#redraw === null) this.#write(sentence);
    else this.#redraw.persist(sentence);
  }

  #writeLine(state: ProgressState, now: number): void {
    // The pace of an ended run falls with each query, and would print a new line each time.
    if (isAtEnd(state.progress) && this.#hasShownEnd) return;
    this.#hasShownEnd = isAtEnd(state.progress);
    const line = renderProgressLine(state, now);
    // An equal line is not repeated, except after a long time as a sign of life.
    if (line === this.#lastLine && now - this.#lastLineAt < 12 * this.#lineIntervalMs) return;
    this.#lastLine = line;
    this.#lastLineAt = now;
    this.#write(line);
  }
}

type SteeredState = Pick<SweepProgress, 'paused' | 'pausedFor' | 'maxConcurrency' | 'maxCostUsd' | 'numTrials'>;

/** Returns a sentence for each change that a command made to the run. */
export function steeringChanges(before: SteeredState, now: SteeredState): string[] {
  const changes: string[] = [];
  if (now.paused !== before.paused) {
    const { pausedFor = null } = now;
    const paused =
      pausedFor === null
        ? `paused: ${PAUSE_EFFECT}`
        : `paused, because ${HALT_CAUSE} (${pausedFor}): no further episodes are opened`;
    changes.push(now.paused ? paused : 'resumed: further episodes are opened');
  }
  if (now.maxConcurrency !== before.maxConcurrency) {
    changes.push(`at most ${now.maxConcurrency} at once now, instead of ${before.maxConcurrency}`);
  }
  if (budget(now) !== budget(before)) changes.push(`${budget(now)} now, instead of ${budget(before)}`);
  if (now.numTrials !== before.numTrials) {
    changes.push(`${now.numTrials} trials per task now, instead of ${before.numTrials}`);
  }
  return changes;
}

function budget({ maxCostUsd }: SteeredState): string {
  return maxCostUsd === undefined || maxCostUsd === null ? 'no budget' : `a budget of ${formatUsd(maxCostUsd)}`;
}
