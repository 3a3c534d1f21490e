/**
 * `--agent-strategy fastworkflow-python`: FastWorkflow's package as a service that the command starts and stops. In the
 * run's record it is an agent service; the port in TypeScript is another strategy.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AGENT_SERVICE, AS_ASKED, type EvaluationConfig } from '../../evaluation/index.ts';
import { serviceOptions } from '../../agents/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import type { RawRunOptions } from '../../evaluation/options/index.ts';
import { impliedProvider } from '../../evaluation/setup/index.ts';
import { SCRIPTED } from '../../models/providers.ts';

/** The word on the command line, and what the adapter's name begins with. */
const FASTWORKFLOW_PYTHON = 'fastworkflow-python';
const INTERPRETER = 'TAUFLOW_FASTWORKFLOW_PYTHON';
const WORKFLOW = 'TAUFLOW_FASTWORKFLOW_WORKFLOW';
/** Characters of the output in which the adapter's address, or the reason that it has none, is looked for. */
const MOST_TEXT = 10_000;
/** Longest pause between two attempts to start an adapter that has died. */
const MOST_PAUSE_S = 60;

export interface StartedAgent {
  /** The command line's options as those of a run with `--agent-url`. */
  readonly options: RawRunOptions;
  /** Writes what the adapter prints, and has printed, to a file; it is appended to. */
  keepOutput(path: string): void;
  stop(): Promise<void>;
}

/**
 * Starts the adapter where the command line, or the run that is resumed, asks for it.
 * @param recorded the configuration of the run that is resumed
 * @returns null where it is not asked for
 * @throws UsageError without an interpreter that has the package
 */
export async function startFastWorkflow(
  given: RawRunOptions,
  recorded: EvaluationConfig | undefined,
  { env, cwd, log }: Surroundings,
): Promise<StartedAgent | null> {
  const { agentUrl: url, agentName } = recorded === undefined ? {} : serviceOptions(recorded.strategyOptions);
  const wasStarted = url !== undefined && agentName?.startsWith(`${FASTWORKFLOW_PYTHON} `) === true;
  const isAsked = given.agentStrategy === FASTWORKFLOW_PYTHON;
  const interpreter = env[INTERPRETER] ?? '';
  if (!isAsked && (!wasStarted || interpreter === '' || (await answers(url)))) return null;
  if (interpreter === '') {
    throw new UsageError(
      `--agent-strategy ${FASTWORKFLOW_PYTHON} needs a Python interpreter that has fastworkflow; name it in ${INTERPRETER}.`,
    );
  }
  if (given['detach'] === true) {
    throw new UsageError(
      `the adapter of ${FASTWORKFLOW_PYTHON} ends with the command; leave --detach out, or start it yourself and give --agent-url.`,
    );
  }
  const folder = env[WORKFLOW];
  const workflow = folder === undefined ? ['retail', '--without-intent-models'] : [resolve(cwd, folder)];
  if (folder === undefined) {
    log(
      'warning: FastWorkflow uses its own retail example without intent models; ' +
        `an episode in which one would decide fails. Name a trained workflow's folder in ${WORKFLOW}.`,
    );
  }
  const model = modelForDspy(given, recorded);
  const adapter = new Adapter(interpreter, workflow, {
    cwd,
    env: {
      // DSPy chooses its settings by the model's name.
      ...(model === null ? {} : { LLM_AGENT: model }),
      ...env,
      PYTHONPATH: [adapterFolder(), env['PYTHONPATH']].filter((path) => path !== undefined).join(':'),
    },
    log,
  });
  const agentUrl = await adapter.start(wasStarted ? new URL(url).port : '0');
  return {
    options: { ...given, agentStrategy: AGENT_SERVICE, agentUrl },
    keepOutput: (path) => adapter.keepOutput(path),
    stop: () => adapter.stop(),
  };
}

/**
 * Name of the agent's model as LiteLLM has it. A resumed run has it from its record: with another one, the adapter would be
 * another agent.
 * @returns null where FastWorkflow's own variables name the models, or the model is scripted
 */
export function modelForDspy(
  { model, modelProvider }: RawRunOptions,
  recorded: Pick<EvaluationConfig, 'agentModel'> | undefined,
): string | null {
  const before = recorded?.agentModel;
  const name = typeof model === 'string' ? model : before?.model;
  if (name === undefined || name === AS_ASKED) return null;
  const given = typeof modelProvider === 'string' ? modelProvider : undefined;
  const provider = given ?? (typeof model === 'string' ? impliedProvider(model) : before?.provider);
  if (provider === undefined || provider === SCRIPTED) return null;
  return name.startsWith(`${provider}/`) ? name : `${provider}/${name}`;
}

type Surroundings = Pick<CliContext, 'cwd' | 'env' | 'log'>;

/** The adapter's process, and the one after it where it has died: episodes that it has lost are replayed. */
class Adapter {
  readonly #command: readonly string[];
  readonly #surroundings: Surroundings;
  readonly #early: Buffer[] = [];
  #take = (chunk: Buffer): unknown => this.#early.push(chunk);
  #process: ChildProcess | null = null;
  #isStopped = false;

  constructor(interpreter: string, workflow: readonly string[], surroundings: Surroundings) {
    this.#command = [interpreter, '-m', 'tauflow_fastworkflow', ...workflow, '--end-with-input'];
    this.#surroundings = surroundings;
  }

  /** @returns its URL @throws UsageError with the reason that it gives */
  async start(port: string): Promise<string> {
    const [interpreter = '', ...words] = this.#command;
    const { cwd, env } = this.#surroundings;
    // An interrupt at the terminal goes to the command alone, which finishes the open episodes. When the command is
    // killed, the adapter's input ends, and the adapter with it.
    const process = spawn(interpreter, [...words, '--port', port], { cwd, env, stdio: 'pipe', detached: true });
    process.stdin.on('error', () => undefined);
    this.#process = process;
    const url = await listening(process, (chunk) => this.#take(chunk));
    process.once('exit', (code, signal) => void this.#startAgain(new URL(url).port, signal ?? `code ${code}`));
    return url;
  }

  /** Writes what it prints, and has printed, to a file; it is appended to. */
  keepOutput(path: string): void {
    mkdirSync(dirname(path), { recursive: true });
    const file = createWriteStream(path, { flags: 'a' });
    // The run does not depend on it.
    file.on('error', () => undefined);
    for (const chunk of this.#early.splice(0)) file.write(chunk);
    this.#take = (chunk) => file.write(chunk);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const process = this.#process;
    if (process === null || process.exitCode !== null || process.signalCode !== null) return;
    const ended = once(process, 'close');
    process.kill('SIGTERM');
    await ended;
  }

  async #startAgain(port: string, end: string): Promise<void> {
    if (this.#isStopped) return;
    const { log } = this.#surroundings;
    log(`warning: the adapter of ${FASTWORKFLOW_PYTHON} has ended with ${end}; it is started again`);
    for (let failures = 0; !this.#isStopped; failures++) {
      const failure = await this.start(port).then(
        () => null,
        ({ message }: Error) => message,
      );
      if (failure === null || this.#isStopped) return;
      if (failures === 0) log(`warning: ${failure}; the run waits for it`);
      await delay(Math.min(2 ** failures, MOST_PAUSE_S) * 1000, undefined, { ref: false });
    }
  }
}

/** @returns the URL that the adapter prints @throws UsageError when it ends before */
function listening(process: ChildProcess, take: (chunk: Buffer) => unknown): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    let text = '';
    const onChunk = (chunk: Buffer) => {
      take(chunk);
      text = `${text}${chunk.toString()}`.slice(-MOST_TEXT);
      const found = /^listening on (http:\S+)\n/m.exec(text);
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    process.stdout?.on('data', onChunk);
    process.stderr?.on('data', onChunk);
    const fail = (reason: string) => {
      reject(new UsageError(`the adapter of ${FASTWORKFLOW_PYTHON} does not start: ${reason}`));
    };
    process.on('error', ({ message }) => fail(`${message}; correct ${INTERPRETER}`));
    process.on('close', (code) => {
      const said = text.trim().split('\n').at(-1) ?? '';
      fail(said === '' ? `it ended with code ${code} and printed nothing; correct ${INTERPRETER}` : said);
    });
  });
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
}

/** Folder of the adapter's package; the sources and the built program are at different depths. */
function adapterFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const adapter = join(folder, 'adapters', 'fastworkflow');
    if (existsSync(adapter) || folder === dirname(folder)) return adapter;
  }
}
