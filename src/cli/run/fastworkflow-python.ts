/**
 * `--agent-strategy fastworkflow-python`: FastWorkflow's package as a service that the command starts and stops. In the
 * run's record it is an agent service; the port in TypeScript is another strategy.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENT_SERVICE, type EvaluationConfig } from '../../wire/index.ts';
import { serviceOptions } from '../../agents/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import type { RawRunOptions } from '../options/names.ts';

/** The word on the command line, and what the adapter's name begins with. */
const FASTWORKFLOW_PYTHON = 'fastworkflow-python';
const INTERPRETER = 'TAUFLOW_FASTWORKFLOW_PYTHON';
const WORKFLOW = 'TAUFLOW_FASTWORKFLOW_WORKFLOW';

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
  { env, cwd, log }: Pick<CliContext, 'env' | 'cwd' | 'log'>,
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
  const port = wasStarted ? new URL(url).port : '0';
  const { model, modelProvider } = given;
  const isNamed = typeof model === 'string' && typeof modelProvider === 'string';
  const process = spawn(interpreter, ['-m', 'tauflow_fastworkflow', ...workflow, '--port', port], {
    cwd,
    env: {
      // DSPy chooses its settings by the model's name.
      ...(isNamed ? { LLM_AGENT: `${modelProvider}/${model}` } : {}),
      ...env,
      PYTHONPATH: [adapterFolder(), env['PYTHONPATH']].filter((path) => path !== undefined).join(':'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // An interrupt at the terminal goes to the command alone, which finishes the open episodes.
    detached: true,
  });
  const output = collect(process);
  const agentUrl = await output.url;
  return {
    options: { ...given, agentStrategy: AGENT_SERVICE, agentUrl },
    keepOutput: output.keep,
    async stop() {
      if (process.exitCode !== null || process.signalCode !== null) return;
      const ended = once(process, 'close');
      process.kill('SIGTERM');
      await ended;
    },
  };
}

function collect(process: ChildProcess) {
  const early: Buffer[] = [];
  let take = (chunk: Buffer): unknown => early.push(chunk);
  const url = new Promise<string>((resolve, reject) => {
    const text = () => Buffer.concat(early).toString();
    const onChunk = (chunk: Buffer) => {
      take(chunk);
      const found = /^listening on (http:\S+)\n/m.exec(text());
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    process.stdout?.on('data', onChunk);
    process.stderr?.on('data', onChunk);
    const fail = (reason: string) => {
      reject(new UsageError(`the adapter of ${FASTWORKFLOW_PYTHON} does not start: ${reason.trim()}`));
    };
    process.on('error', ({ message }) => fail(`${message}; correct ${INTERPRETER}`));
    process.on('close', () => fail(text().trim().split('\n').at(-1) ?? ''));
  });
  const keep = (path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    const file = createWriteStream(path, { flags: 'a' });
    // The run does not depend on it.
    file.on('error', () => undefined);
    for (const chunk of early.splice(0)) file.write(chunk);
    take = (chunk) => file.write(chunk);
  };
  return { url, keep };
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
