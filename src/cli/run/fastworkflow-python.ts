/**
 * `--agent-strategy fastworkflow-python`: FastWorkflow's package as a service that the command starts and stops. The
 * run records it as an agent service. The TypeScript port is another strategy.
 */

import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AGENT_SERVICE, AS_ASKED, type EvaluationConfig } from '../../evaluation/index.ts';
import { serviceOptions } from '../../agents/index.ts';
import { UsageError } from '../../errors/index.ts';
import { Adapter } from '../../io/index.ts';
import type { CliContext } from '../context.ts';
import type { RawRunOptions } from '../../run-setup/options/index.ts';
import { impliedProvider } from '../../run-setup/index.ts';
import { SCRIPTED } from '../../models/providers.ts';

/** Strategy on the command line, and the beginning of the adapter's name. */
const FASTWORKFLOW_PYTHON = 'fastworkflow-python';
const INTERPRETER = 'TAUFLOW_FASTWORKFLOW_PYTHON';
const WORKFLOW = 'TAUFLOW_FASTWORKFLOW_WORKFLOW';

export interface StartedAgent {
  /** The options, changed to options of a run with `--agent-url`. */
  readonly options: RawRunOptions;
  /** Appends the adapter's past and future output to a file. */
  keepOutput(path: string): void;
  stop(): Promise<void>;
}

/**
 * Starts the adapter if the command line, or the resumed run, names it.
 * @param recorded the configuration of the resumed run
 * @returns null if neither names it
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
  const output = new AgentOutput();
  const adapter = new Adapter({
    name: FASTWORKFLOW_PYTHON,
    folder: 'fastworkflow',
    module: 'tauflow_fastworkflow',
    arguments: workflow,
    interpreter,
    variable: INTERPRETER,
    cwd,
    // DSPy chooses its settings by the model's name.
    env: { ...(model === null ? {} : { LLM_AGENT: model }), ...env },
    log,
    onOutput: (chunk) => output.take(chunk),
  });
  const agentUrl = await adapter.start(wasStarted ? new URL(url).port : '0');
  return {
    options: { ...given, agentStrategy: AGENT_SERVICE, agentUrl },
    keepOutput: (path) => output.keep(path),
    stop: () => adapter.stop(),
  };
}

/**
 * Returns the agent's model by the name that LiteLLM uses. For a resumed run, the name is recorded, because another
 * name would make the adapter another agent.
 * @returns null if FastWorkflow's own variables name the models, or if the model is scripted
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

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
}

/** Buffers the adapter's output until its file is known. */
class AgentOutput {
  readonly #early: Buffer[] = [];
  #take = (chunk: Buffer): unknown => this.#early.push(chunk);

  take(chunk: Buffer): void {
    this.#take(chunk);
  }

  keep(path: string): void {
    mkdirSync(dirname(path), { recursive: true });
    const file = createWriteStream(path, { flags: 'a' });
    // The run continues without this file.
    file.on('error', () => undefined);
    for (const chunk of this.#early.splice(0)) file.write(chunk);
    this.#take = (chunk) => file.write(chunk);
  }
}
