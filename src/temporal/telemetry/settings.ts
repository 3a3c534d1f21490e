/** What a process tells of its work beside its results, as values: the command line reads them off the environment. */

/** Where the SDK's metrics go, and this program's with them. A process has one exporter. */
export type MetricsSettings =
  /** Served for scraping under `/metrics`; the address is `host:port`. */
  | { readonly kind: 'prometheus'; readonly bindAddress: string }
  /** Sent by OTLP/HTTP, to the whole URL. */
  | {
      readonly kind: 'otlp';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly intervalMs: number;
    };

/** Address, headers and limits are OpenTelemetry's own variables, which its exporter reads by itself. */
export interface TraceSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Named by a warning when it does not answer. */
  readonly endpoint: string;
  /** Of this program, for the resource. */
  readonly version: string;
}

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
