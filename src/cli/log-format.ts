/** Format of this process's stderr: lines for people, or a JSON object a line (`TAUFLOW_LOG=json`). */

const LEVELS: Readonly<Record<string, string>> = { error: 'ERROR', warning: 'WARN' };

/**
 * What a command tells on stderr, as a line of a JSON log.
 * @param line as people read it; `error: …` and `warning: …` become levels
 */
export function jsonLogLine(line: string, at: Date): string {
  const [, kind = '', text = line] = /^(error|warning): (.*)$/s.exec(line) ?? [];
  return JSON.stringify({ timestamp: at.toISOString(), level: LEVELS[kind] ?? 'INFO', message: text });
}
