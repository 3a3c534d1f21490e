/** Agents from files in this process: compiled, checked, and found by strategy look-ups. */

import { createContext, Script } from 'node:vm';
import * as fastworkflow from '../fastworkflow/public.ts';
import * as agents from '../public.ts';
import {
  addOwnStrategy,
  exportedStrategy,
  strategies,
  type AgentFile,
  type AgentModule,
  type StrategyDefinition,
} from '../index.ts';
import { describeValue } from '../../errors/index.ts';
import { OWN_MODULES, compileAgent, AgentFileError } from './compile.ts';
import { definitionSchema } from './definition.schema.ts';

export interface OwnAgent {
  readonly strategy: StrategyDefinition;
  readonly file: AgentFile;
  /** See `CompiledAgent`. */
  readonly code: string;
}

/** Time that a file may take to be evaluated: it only defines things. @unit milliseconds */
const LOAD_MS = 5_000;

const loaded = new Map<string, OwnAgent>();

/** All that this process has loaded: its workers serve them. */
export function loadedAgents(): readonly OwnAgent[] {
  return [...loaded.values()];
}

/**
 * @param path absolute
 * @throws AgentFileError with one sentence
 */
export async function loadAgent(path: string): Promise<OwnAgent> {
  const { code, digest } = await compileAgent(path);
  const strategy = checkedStrategy(path, evaluate(path, code));
  const agent = { strategy, file: { path, digest }, code };
  loaded.set(digest, agent);
  addOwnStrategy(digest, strategy);
  return agent;
}

/** Runs it with the globals of a workflow only, so that a missing one is found at once. */
function evaluate(path: string, code: string): AgentModule {
  const module: { exports: AgentModule } = { exports: {} };
  const require = (name: string): unknown => {
    if (name === OWN_MODULES['tauflow/agents']) return agents;
    if (name === OWN_MODULES['tauflow/agents/fastworkflow']) return fastworkflow;
    throw new Error(`${name} is required while it runs; import it at the top of the file`);
  };
  const globals = { module, exports: module.exports, require, console, URL, URLSearchParams, TextEncoder, TextDecoder };
  try {
    new Script(code, { filename: path }).runInContext(createContext(globals), { timeout: LOAD_MS });
  } catch (error) {
    const [reason = ''] = describeValue(error).split('\n', 1);
    throw new AgentFileError(path, `cannot be loaded: ${reason}`, { cause: error });
  }
  return module.exports;
}

function checkedStrategy(path: string, module: AgentModule): StrategyDefinition {
  const exported = exportedStrategy(module);
  if (exported === undefined) {
    throw new AgentFileError(path, 'exports no strategy; export a StrategyDefinition as default, or as `strategy`');
  }
  const parsed = definitionSchema.safeParse(exported);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue === undefined) throw new AgentFileError(path, 'is not a strategy');
    if (issue.code === 'unrecognized_keys') {
      throw new AgentFileError(path, `has ${issue.keys.join(', ')}, which no strategy has; see docs/new-agent.md`);
    }
    throw new AgentFileError(path, `is not a strategy: ${issue.path.join('.') || 'it'} ${issue.message}`);
  }
  const { name } = parsed.data;
  if (Object.hasOwn(strategies, name)) {
    throw new AgentFileError(path, `is called ${name}, as a strategy of this version is; give it another name`);
  }
  // Not the copy that was checked: a method may want its object.
  return exported as StrategyDefinition;
}
