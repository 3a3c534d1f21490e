/** Properties of the terminal, determined once and passed as values, so that rendering is pure. */

import pc from 'picocolors';

export interface TerminalStyle {
  /** Columns of the terminal; lines are laid out to fit. */
  readonly columns: number;
  readonly color: boolean;
}

export type Colors = ReturnType<typeof pc.createColors>;

export function createColors(style: TerminalStyle): Colors {
  return pc.createColors(style.color);
}

/** Width in columns without a terminal, such as in a CI log. */
export const DEFAULT_COLUMNS = 120;

/**
 * Returns the style for a stream: colors only on a terminal and without `NO_COLOR`, or with `FORCE_COLOR`.
 * @param env the process's environment
 */
export function chooseStyle(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): TerminalStyle {
  const isForced = (env['FORCE_COLOR'] ?? '') !== '' && env['FORCE_COLOR'] !== '0';
  const isRefused = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const color = !isRefused && (isForced || stream.isTTY === true);
  const columns = stream.columns !== undefined && stream.columns > 0 ? stream.columns : DEFAULT_COLUMNS;
  return { columns, color };
}

/** Returns a text on one line without control characters, because a model's output must not control the terminal. */
export function escapeControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- taking control characters out is the point
  return text.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
}

/** Cuts a text to a width; an ellipsis marks a cut. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
