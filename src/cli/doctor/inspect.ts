/** The body of `tauflow doctor`. */

import { PROVIDERS, keyVariablesOf } from '../../models/providers.ts';
import { listPacks } from '../../packs/index.ts';
import { ENCRYPTION_VARIABLE, ServerError, describeKeys, readKeyRing } from '../../temporal/codec/index.ts';
import { connect, readConfiguration, type ConnectOptions } from '../../temporal/client/index.ts';
import {
  findTrouble,
  inspectServer,
  type LocalServerState,
  type ServerInspection,
} from '../../temporal/server/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { version } from '../../host/surroundings.ts';
import type { Finding } from './finding.ts';
import { askedModel, tryModel, type WantedCall } from './try-model.ts';

const OLDEST_NODE = [20, 19] as const;

export async function inspect(json: boolean, call: WantedCall, context: CliContext): Promise<ExitCode> {
  const asked = askedModel(call);
  const findings = [
    checkNode(),
    ...(await checkTemporal(context)),
    checkEncryption(context),
    ...(await checkPacks(context)),
    ...checkKeys(context),
    ...(asked === null ? [] : [await tryModel(asked, context)]),
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

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  const message = isOld ? `${process.version}; ${OLDEST_NODE.join('.')} or later is needed` : process.version;
  return { subject: 'node', state: isOld ? 'problem' : 'ok', message };
}

async function checkTemporal({ env, cwd: workDir, home }: CliContext): Promise<Finding[]> {
  const { address, namespace } = readConfiguration(env);
  if (address !== null) {
    return [await checkConfigured(`configured: ${address}, namespace ${namespace}`, { env, workDir, home })];
  }
  const { binary, server } = await inspectServer({ workDir, home, env });
  return [describeBinary(binary), await describeServer(server)];
}

/** Connects as every other command does, with TLS, key and namespace. */
async function checkConfigured(message: string, options: Omit<ConnectOptions, 'onProgress'>): Promise<Finding> {
  const subject = 'temporal server';
  try {
    const temporal = await connect({ ...options, onProgress: () => undefined });
    await temporal.close();
    return { subject, state: 'ok', message };
  } catch (error) {
    if (error instanceof ServerError) return { subject, state: 'problem', message: error.message };
    throw error;
  }
}

/** Which key encrypts, and which others decrypt: by their ids, never themselves. */
function checkEncryption({ env }: CliContext): Finding {
  const subject = 'encryption';
  try {
    const keys = readKeyRing(env);
    if (keys.length === 0) return { subject, state: 'missing', message: `off; ${ENCRYPTION_VARIABLE} is not set` };
    return { subject, state: 'ok', message: `on, key ${describeKeys(keys)}` };
  } catch (error) {
    if (error instanceof ServerError) return { subject, state: 'problem', message: error.message };
    throw error;
  }
}

function describeBinary(found: ServerInspection['binary']): Finding {
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

async function describeServer(found: LocalServerState): Promise<Finding> {
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
    case 'unrecorded':
      return {
        subject,
        state: 'missing',
        message: `pid ${found.pid} has this folder's database; the next run takes it on`,
      };
  }
}

async function checkPacks({ home }: CliContext): Promise<Finding[]> {
  const listings = await listPacks({ home });
  return listings.map((listing) => ({
    subject: `pack ${listing.name}`,
    state: listing.kind === 'usable' ? 'ok' : 'problem',
    message: listing.kind === 'usable' ? `${listing.origin}, ${listing.path}` : listing.problem,
  }));
}

function checkKeys({ env }: CliContext): Finding[] {
  return PROVIDERS.flatMap((row) => {
    const { name, keyVariable, isKeyOptional, baseUrlVariable } = row;
    if (keyVariable === null) return [];
    const variables = keyVariablesOf(row);
    const found = variables.find((variable) => (env[variable] ?? '') !== '');
    const elsewhere = (env[baseUrlVariable] ?? '') === '' ? '' : `, ${baseUrlVariable} points elsewhere`;
    // A server of one's own is no part of most set-ups.
    if (isKeyOptional === true && found === undefined && elsewhere === '') return [];
    const message = `${found ?? variables.join(' or ')} is ${found === undefined ? 'not set' : 'set'}${elsewhere}`;
    const isFine = found !== undefined || isKeyOptional === true;
    return [{ subject: `provider ${name}`, state: isFine ? ('ok' as const) : ('missing' as const), message }];
  });
}
