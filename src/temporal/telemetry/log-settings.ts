/** Settings of a process's log. Light: a command reads them before it starts anything. */

export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogSettings {
  readonly level: LogLevel;
  /** One line of a log, without its end. */
  readonly format: 'text' | 'json';
  /** Takes keys out of whatever is written. */
  readonly redact: (text: string) => string;
  readonly write: (line: string) => void;
}
