/** `tauflow doctor`: checks what is installed and configured, without starting or changing anything. */

import type { Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import {
  PROVIDERS,
  keyProblems,
  listKeyVariables,
  ProviderError,
  defaultTokenCap,
  resolveProvider,
  usableBaseUrl,
} from '../../models/providers.ts';
import { findHeaderProblem } from '../../io/index.ts';
import { listPacks } from '../../benchmarks/packs/index.ts';
import { ENCRYPTION_VARIABLE, describeKeys, readKeyRing } from '../../temporal/codec/index.ts';
import { ServerError } from '../../temporal/errors.ts';
import { connect, readConfiguration, type ConnectOptions } from '../../temporal/client/index.ts';
import {
  findTrouble,
  inspectServer,
  type LocalServerState,
  type ServerInspection,
} from '../../temporal/server/index.ts';
import { ExitCode, UsageError, onError } from '../../errors/index.ts';
import { version } from '../../host/surroundings.ts';
import {
  ModelCallError,
  createModelCaller,
  createPricer,
  listModels,
  outlineRequest,
  retirementWarnings,
  type RequestOutline,
} from '../../models/index.ts';
import { NO_MODEL, USUAL_USER, describeAgent, describeUser, type ModelSettings } from '../../evaluation/index.ts';
import { lookAtAgent } from '../agent/look.ts';
import {
  demoOptions,
  parseRunOptions,
  resolveRequest,
  usualModel,
  withEnvironment,
  type OneModelFlags,
} from '../../run-setup/index.ts';
import { readEarlyOptions } from '../options/config-file.ts';
import { noSuchRun, readLog } from '../run-log.ts';
import { RUN_LOG_PLACE } from '../flag-values.ts';
import type { RunLog } from '../../run-log/index.ts';
import { RUN_HEAD } from '../../run-log/store/index.ts';
import { AGENT_KEY } from '../../agent-service/index.ts';
import { escapeControls } from '../terminal/style.ts';

interface DoctorFlags extends OneModelFlags {
  readonly config?: string;
  readonly logDir: string;
  readonly agentUrl?: string;
  readonly json?: boolean;
}

export function defineDoctorCommand(command: Command, context: CliContext): void {
  command
    .argument('[run]', 'check for a run whether its models retire')
    .option('--config <file>', 'check the options of a config file, and whether its models retire')
    .option('--log-dir <folder>', RUN_LOG_PLACE, 'results')
    .option('--model-provider <name>', 'make one small call to this provider, which costs money')
    .option('--model <model>', 'model to call')
    .option('--reasoning-effort <level>', 'as in run')
    .option('--model-settings <json>', 'as in run')
    .option('--agent-url <url>', 'ask the agent that is a service who it is; it plays nothing')
    .option('--json', 'print one JSON document')
    .action(async (runId: string | undefined, { json, agentUrl, config, logDir, ...call }: DoctorFlags) => {
      context.end(await inspect(json === true, { runId, config, logDir, agentUrl, call }, context));
    });
}

const OLDEST_NODE = [20, 19] as const;

interface DoctorOptions {
  readonly runId: string | undefined;
  /** Path of a config file. */
  readonly config: string | undefined;
  readonly logDir: string;
  readonly agentUrl: string | undefined;
  readonly call: OneModelFlags;
}

async function inspect(json: boolean, options: DoctorOptions, context: CliContext): Promise<ExitCode> {
  const { runId, config, logDir, agentUrl, call } = options;
  const asked = askedModel(call);
  const log = runId === undefined ? null : await readLog(runId, logDir, context, RUN_HEAD);
  const findings = [
    checkNode(),
    ...(await checkTemporal(context)),
    checkEncryption(context),
    ...(await checkPacks(context)),
    ...(await findLocalServers(context)),
    ...checkKeys(context),
    ...checkAgentKey(context),
    ...(asked === null ? [] : await tryModel(asked, context)),
    ...(await checkRetirement(
      { agentModel: asked ?? NO_MODEL, userModel: { ...USUAL_USER, temperature: null } },
      context,
    )),
    ...(log === null ? [] : await checkRun(log, context)),
    ...(config === undefined ? [] : await checkConfigFile(config, context)),
    ...(agentUrl === undefined ? [] : [{ subject: 'agent', ...(await lookAtAgent(agentUrl, context)) }]),
  ];
  if (json) printJson(findings, context);
  else {
    context.out(`tauflow ${version}`);
    for (const { subject, state, message } of findings) {
      context.out(`${MARKS[state]} ${subject.padEnd(18)} ${message}`);
    }
  }
  return findings.some(({ state }) => state === 'problem') ? ExitCode.Failed : ExitCode.Done;
}

const MARKS = { ok: '✓', missing: '–', problem: '✗' } as const;

function checkNode(): DoctorFinding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  const message = isOld ? `${process.version}; ${OLDEST_NODE.join('.')} or later is needed` : process.version;
  return { subject: 'node', state: isOld ? 'problem' : 'ok', message };
}

async function checkTemporal({ env, cwd: workDir, home }: CliContext): Promise<DoctorFinding[]> {
  const { address, namespace } = readConfiguration(env);
  if (address !== null) {
    return [await checkConfigured(`configured: ${address}, namespace ${namespace}`, { env, workDir, home })];
  }
  const { binary, server } = await inspectServer({ workDir, home, env });
  return [describeBinary(binary), await describeServer(server)];
}

/** Connects as every other command does, with TLS, key and namespace. */
async function checkConfigured(message: string, options: Omit<ConnectOptions, 'onProgress'>): Promise<DoctorFinding> {
  const subject = 'temporal server';
  const connecting = connect({ ...options, onProgress: () => undefined }).then((temporal) => temporal.close());
  return connecting.then(() => ({ subject, state: 'ok', message }), catchProblem(subject));
}

/** Shows the ids of the keys that encrypt and decrypt, never the keys. */
function checkEncryption({ env }: CliContext): DoctorFinding {
  const subject = 'encryption';
  try {
    const keys = readKeyRing(env);
    if (keys.length === 0) return { subject, state: 'missing', message: `off; ${ENCRYPTION_VARIABLE} is not set` };
    return { subject, state: 'ok', message: `on, key ${describeKeys(keys)}` };
  } catch (error) {
    return catchProblem(subject)(error);
  }
}

function catchProblem(subject: string): (error: unknown) => DoctorFinding {
  return onError(({ message }) => ({ subject, state: 'problem', message }), ServerError);
}

function describeBinary(found: ServerInspection['binary']): DoctorFinding {
  const subject = 'temporal command';
  switch (found.kind) {
    case 'found':
      return { subject, state: 'ok', message: `${found.binary.path} (${found.binary.cliVersion})` };
    case 'missing':
      return { subject, state: 'missing', message: 'not here yet; the first run downloads or builds it' };
    case 'unusable':
      return { subject, state: 'problem', message: found.message };
  }
}

async function describeServer(found: LocalServerState): Promise<DoctorFinding> {
  const subject = 'temporal server';
  const trouble = 'server' in found ? await findTrouble(found.server) : null;
  if (trouble !== null) return { subject, state: 'problem', message: trouble };
  switch (found.kind) {
    case 'none':
      return { subject, state: 'missing', message: 'none runs for this folder; a run starts one' };
    case 'running':
      return {
        subject,
        state: 'ok',
        message: `${found.server.address}, UI ${found.server.uiUrl}, pid ${found.server.pid}`,
      };
    case 'not-responding':
      return {
        subject,
        state: 'problem',
        message:
          `pid ${found.server.pid} runs and has not answered in time; it may only be busy, and runs wait for it. ` +
          `Its log is ${found.server.logFile}`,
      };
    case 'starting':
      return { subject, state: 'missing', message: `being started by process ${found.commandPid}` };
    case 'stale':
      return { subject, state: 'missing', message: `was killed (${found.reason}); the next run starts it again` };
  }
}

async function checkPacks({ home }: CliContext): Promise<DoctorFinding[]> {
  const listings = await listPacks({ home });
  return listings.map((listing) => ({
    subject: `pack ${listing.name}`,
    state: listing.kind === 'usable' ? 'ok' : 'problem',
    message: listing.kind === 'usable' ? `${listing.origin}, ${listing.path}` : listing.problem,
  }));
}

function checkKeys({ env }: CliContext): DoctorFinding[] {
  return PROVIDERS.flatMap((row): DoctorFinding[] => {
    const { name, keyVariable, isKeyOptional, baseUrlVariable } = row;
    if (keyVariable === null) return [];
    const variables = listKeyVariables(row);
    const found = variables.find((variable) => (env[variable] ?? '') !== '');
    const elsewhere = (env[baseUrlVariable] ?? '') === '' ? '' : `, ${baseUrlVariable} points elsewhere`;
    const problems = keyProblems(name, env);
    if (problems.length > 0) {
      return [{ subject: `provider ${name}`, state: 'problem', message: problems.join('; ') }];
    }
    // Most setups have no local model server, so nothing is reported about it.
    if (isKeyOptional === true && found === undefined && elsewhere === '') return [];
    const need =
      found === undefined && name === 'openai' ? `, which the usual simulated user ${USUAL_USER.model} needs` : '';
    const message = `${found ?? variables.join(' or ')} is ${found === undefined ? 'not set' : 'set'}${need}${elsewhere}`;
    const isFine = found !== undefined || isKeyOptional === true;
    return [{ subject: `provider ${name}`, state: isFine ? ('ok' as const) : ('missing' as const), message }];
  });
}

function checkAgentKey({ env }: CliContext): DoctorFinding[] {
  const problem = findHeaderProblem(env, AGENT_KEY);
  return problem === null ? [] : [{ subject: 'agent key', state: 'problem', message: problem }];
}

/** Time limit for servers on this machine in ms, which answer at once. */
const PROBE_MS = 2_000;
const MOST_MODELS = 5;

/** Requests the models of each of the user's local servers, at its configured or usual address. */
async function findLocalServers({ env }: CliContext): Promise<DoctorFinding[]> {
  const rows = PROVIDERS.filter(({ isKeyOptional }) => isKeyOptional === true);
  const found = await Promise.all(
    rows.map(async ({ name, baseUrlVariable }) => {
      const subject = `local ${name}`;
      try {
        const url = usableBaseUrl(name, env);
        if (url === null) return [];
        const models = await listModels(resolveProvider(name, env), PROBE_MS);
        if (models !== null) {
          const names =
            models
              .slice(0, MOST_MODELS)
              .map((model) => model.name)
              .join(', ') + (models.length > MOST_MODELS ? ', …' : '');
          return [
            { subject, state: 'ok' as const, message: escapeControls(`${url} listens, with ${names || 'no model'}`) },
          ];
        }
        return [
          {
            subject,
            state: 'missing' as const,
            message: `nothing listens at ${url}; ${baseUrlVariable} names another address`,
          },
        ];
      } catch (error) {
        if (error instanceof ProviderError) return [{ subject, state: 'problem' as const, message: error.message }];
        throw error;
      }
    }),
  );
  return found.flat();
}

async function checkRetirement(
  models: Parameters<typeof retirementWarnings>[0],
  { home }: CliContext,
): Promise<DoctorFinding[]> {
  const warnings = await retirementWarnings(models, home, new Date());
  return warnings.map((message) => ({ subject: 'model', state: 'problem', message }));
}

async function checkRun(log: RunLog, context: CliContext): Promise<DoctorFinding[]> {
  const manifest = await log.readRun();
  if (manifest === null) throw noSuchRun(log);
  const found = await checkRetirement(manifest.config, context);
  return found.length > 0
    ? found
    : [{ subject: `run ${log.runId}`, state: 'ok', message: 'none of its models is known to retire within 60 days' }];
}

/** Checks a config file as `run --config` does, which has the warnings about its models. */
async function checkConfigFile(file: string, context: CliContext): Promise<DoctorFinding[]> {
  const subject = `config ${file}`;
  const early = await readEarlyOptions({ options: {}, config: file }, context.cwd);
  const { given } = await early.readAll();
  const options = parseRunOptions(await withEnvironment({ ...demoOptions(given), ...given }, context), {});
  const { cwd, home, env } = context;
  const { warnings, config } = await resolveRequest(options, { cwd, home, env, now: new Date() });
  if (warnings.length > 0) return warnings.map((message) => ({ subject, state: 'problem', message }));
  return [{ subject, state: 'ok', message: `${describeAgent(config)}; user ${describeUser(config)}` }];
}

/** Time limit in ms, long enough for a model that thinks before it answers. */
const TIMEOUT_MS = 60_000;

/**
 * Returns the model to call. @returns null if no call was requested
 * @throws UsageError for an unknown provider, or half of a name
 */
function askedModel({ model, ...flags }: OneModelFlags): ModelSettings | null {
  if (model !== undefined) return usualModel({ name: model, words: `--model ${model}` }, flags);
  const [given] = Object.entries(flags).filter(([, value]) => value !== undefined);
  if (given === undefined) return null;
  const [name, value] = given;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${flag} ${String(value)} needs a --model to ask.`);
}

/** Sends a short request to a model. Never rejects: a failure is a finding. */
async function tryModel(settings: ModelSettings, context: CliContext): Promise<DoctorFinding[]> {
  const { provider, model } = settings;
  const subject = `model ${provider}/${model}`;
  const callModel = createModelCaller((name) => resolveProvider(name, context.env));
  const messages = [{ role: 'user', content: 'Say hello.' }] as const;
  const cap = defaultTokenCap(provider, model, 'agent', settings.reasoning_effort);
  const capped = { ...settings, ...(cap === null ? {} : { maxCompletionTokens: cap }) };
  const findings: DoctorFinding[] = [];
  try {
    findings.push({
      subject: 'request',
      state: 'ok',
      message: describeRequest(settings, await outlineRequest(capped, context.env)),
    });
    const request = { ...capped, messages, idempotencyKey: `doctor/${Date.now()}` };
    const reply = await callModel(request, { timeoutMs: TIMEOUT_MS });
    const { servedModel, usage, latencyMs, leftOut = [] } = reply;
    const price = createPricer(() => undefined);
    const costUsd = price({ ...reply, provider, requestedModel: model });
    const cost = costUsd === null ? 'of unknown price' : `for $${costUsd}`;
    const tokens = `${usage.promptTokens} tokens in, ${usage.completionTokens} out`;
    const less = leftOut.length === 0 ? '' : `; it does not take ${leftOut.join(', ')}`;
    const message = escapeControls(`answers in ${latencyMs} ms as ${servedModel}: ${tokens}, ${cost}${less}`);
    findings.push({ subject, state: 'ok', message });
  } catch (error) {
    if (error instanceof ModelCallError) {
      const message = escapeControls(`${error.failure.type}: ${error.failure.message}`);
      findings.push({ subject, state: 'problem', message });
    } else if (error instanceof ProviderError) findings.push({ subject, state: 'problem', message: error.message });
    else throw error;
  }
  return findings;
}

function describeRequest({ wire = 'chat' }: ModelSettings, { url, path, settings }: RequestOutline): string {
  const sent = Object.entries(settings).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const leftOut = 'temperature' in settings ? '' : '; left out: temperature 0';
  return `${url ?? path}, wire ${wire}, with ${sent.join(', ') || 'no settings'}${leftOut}`;
}

interface DoctorFinding {
  readonly subject: string;
  readonly state: 'ok' | 'missing' | 'problem';
  readonly message: string;
}
