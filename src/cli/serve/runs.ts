/**
 * Runs of assessments: a `tauflow run` per task, with a run id derived from the task's id. A run outlives this process;
 * a later request for its task resumes it.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { ExitCode } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import type { Assessment } from './assessment.ts';

export type RunAssessment =
  | { readonly kind: 'report'; readonly text: string; readonly json: object }
  | { readonly kind: 'failed'; readonly message: string };

/** Most characters to read from the report of the run's process. */
const MOST_CHARS = 8_000_000;

export class AssessmentRuns {
  readonly #context: CliContext;
  /** Flags of `run` from the server's command line. */
  readonly #flags: readonly string[];
  readonly #logDir: string;
  readonly #children = new Map<string, ChildProcess>();
  readonly #ends = new Map<string, Promise<RunAssessment>>();

  constructor(flags: readonly string[], logDir: string, context: CliContext) {
    this.#flags = flags;
    this.#logDir = logDir;
    this.#context = context;
  }

  get underWay(): number {
    return this.#children.size;
  }

  /** Starts or resumes the run. @param assessment its settings; null if the run exists */
  run(runId: string, assessment: Assessment | null, onProgress: (line: string) => void): Promise<RunAssessment> {
    const known = this.#ends.get(runId);
    if (known !== undefined) return known;
    const end = this.#play(runId, assessment, onProgress).finally(() => this.#children.delete(runId));
    this.#ends.set(runId, end);
    return end;
  }

  /** Cancels the run; ended episodes remain recorded. */
  async cancel(runId: string): Promise<void> {
    await this.#read(['cancel', runId, '--log-dir', this.#logDir]);
  }

  async exists(runId: string): Promise<boolean> {
    return (await this.#read(['status', runId, '--log-dir', this.#logDir, '--json'])).code === ExitCode.Done;
  }

  /** Interrupts all runs, which can be resumed. */
  async close(): Promise<void> {
    for (const child of this.#children.values()) child.kill('SIGINT');
    await Promise.all(this.#ends.values());
  }

  async #play(runId: string, asked: Assessment | null, onProgress: (line: string) => void): Promise<RunAssessment> {
    const words = [
      'run',
      '--run-id',
      runId,
      '--log-dir',
      this.#logDir,
      ...(asked === null ? [] : this.#listArguments(asked)),
    ];
    const child = this.#start(words);
    this.#children.set(runId, child);
    let last = '';
    for await (const line of createInterface({ input: child.stderr ?? Readable.from([]), crlfDelay: Infinity })) {
      if (line.trim() !== '') last = line;
      if (/^\d+\/\d+ ended/.test(line)) onProgress(line);
    }
    const code = await awaitExitCode(child);
    if (code !== ExitCode.Done && code !== ExitCode.Failed) {
      this.#ends.delete(runId);
      return {
        kind: 'failed',
        message: code === ExitCode.Interrupted ? 'the run was interrupted, and can be resumed' : last,
      };
    }
    const report = (format: string) => this.#read(['report', runId, '--log-dir', this.#logDir, '--format', format]);
    const [text, json] = [await report('markdown'), await report('json')];
    if (text.code !== ExitCode.Done || json.code !== ExitCode.Done) {
      return { kind: 'failed', message: 'the run has ended, but its report cannot be made; see the run log' };
    }
    return { kind: 'report', text: text.stdout, json: withoutPlaces(json.stdout) };
  }

  #listArguments({ agentUrl, env, numTrials, taskIds, startIndex, endIndex }: Assessment): string[] {
    return [
      ...this.#flags,
      ...['--agent-url', agentUrl],
      ...(env === undefined ? [] : ['--env', env]),
      ...(numTrials === undefined ? [] : ['--num-trials', String(numTrials)]),
      ...(taskIds === undefined ? [] : ['--task-ids', ...taskIds.map(String)]),
      ...(startIndex === undefined ? [] : ['--start-index', String(startIndex)]),
      ...(endIndex === undefined ? [] : ['--end-index', String(endIndex)]),
    ];
  }

  #start(words: readonly string[]): ChildProcess {
    const { env, cwd } = this.#context;
    // The key is for the user's own agent, not for agents that peers name.
    const { TAUFLOW_AGENT_KEY: _, ...others } = env;
    const [, program = ''] = process.argv;
    return spawn(process.execPath, [...process.execArgv, program, ...words], {
      cwd,
      env: others,
      stdio: ['ignore', words[0] === 'run' ? 'ignore' : 'pipe', 'pipe'],
    });
  }

  async #read(words: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
    const child = this.#start(words);
    child.stderr?.resume();
    let stdout = '';
    for await (const chunk of (child.stdout ?? Readable.from([])).setEncoding('utf8') as AsyncIterable<string>) {
      if (stdout.length < MOST_CHARS) stdout += chunk;
    }
    return { code: await awaitExitCode(child), stdout };
  }
}

function awaitExitCode(child: ChildProcess): Promise<number> {
  const codeNow = () => child.exitCode ?? (child.signalCode === null ? null : ExitCode.Interrupted);
  const code = codeNow();
  if (code !== null) return Promise.resolve(code);
  return new Promise((resolve) => child.once('exit', () => resolve(codeNow() ?? ExitCode.Failed)));
}

/** Returns the report without paths, which are only useful on this machine. */
function withoutPlaces(json: string): object {
  const { subject, metrics } = JSON.parse(json) as { readonly subject: object; readonly metrics: object };
  return { subject, metrics };
}
