/** Compiles, checks and registers agents and conditions from files in this process. */

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
import { addOwnCondition, CONDITIONS, type Condition } from '../../conditions/index.ts';
import * as conditions from '../../conditions/public.ts';
import { OWN_MODULES, compileFile, AgentFileError, type FileKind } from './compile.ts';
import { conditionSchema } from './condition.schema.ts';
import { definitionSchema } from './definition.schema.ts';

interface OwnFile {
  readonly file: AgentFile;
  /** Code of the file, see `CompiledFile`. */
  readonly code: string;
}

export interface OwnAgent extends OwnFile {
  readonly strategy: StrategyDefinition;
}

export interface OwnCondition extends OwnFile {
  readonly condition: Condition;
}

const AGENT: FileKind = { noun: 'agent', flag: '--agent-strategy' };
const CONDITION: FileKind = { noun: 'condition', flag: '--conditions' };

/** Longest time to evaluate a file, which only makes definitions, in milliseconds. */
const LOAD_MS = 5_000;

const loaded = new Map<string, OwnAgent>();
const conditionsLoaded = new Map<string, OwnCondition>();

/** Returns all agents that this process has loaded, and that its workers serve. */
export function loadedAgents(): readonly OwnAgent[] {
  return [...loaded.values()];
}

export function loadedConditions(): readonly OwnCondition[] {
  return [...conditionsLoaded.values()];
}

/**
 * @param path absolute
 * @throws AgentFileError with one sentence
 */
export async function loadCondition(path: string): Promise<OwnCondition> {
  const { code, digest } = await compileFile(path, CONDITION);
  const condition = checkedCondition(path, evaluateModule(path, code, CONDITION));
  const own = { condition, file: { path, digest }, code };
  conditionsLoaded.set(digest, own);
  addOwnCondition(digest, condition);
  return own;
}

/**
 * @param path absolute
 * @throws AgentFileError with one sentence
 */
export async function loadAgent(path: string): Promise<OwnAgent> {
  const { code, digest } = await compileFile(path, AGENT);
  const strategy = checkedStrategy(path, evaluateModule(path, code, AGENT));
  const agent = { strategy, file: { path, digest }, code };
  loaded.set(digest, agent);
  addOwnStrategy(digest, strategy);
  return agent;
}

/** Runs the code with a workflow's globals only, so that a missing global is found at once. */
function evaluateModule(path: string, code: string, kind: FileKind): AgentModule {
  const module: { exports: AgentModule } = { exports: {} };
  const require = (name: string): unknown => {
    if (name === OWN_MODULES['tauflow/agents']) return agents;
    if (name === OWN_MODULES['tauflow/agents/fastworkflow']) return fastworkflow;
    if (name === OWN_MODULES['tauflow/conditions']) return conditions;
    throw new Error(`${name} is required while it runs; import it at the top of the file`);
  };
  const globals = { module, exports: module.exports, require, console, URL, URLSearchParams, TextEncoder, TextDecoder };
  try {
    new Script(code, { filename: path }).runInContext(createContext(globals), { timeout: LOAD_MS });
  } catch (error) {
    const [reason = ''] = describeValue(error).split('\n', 1);
    throw new AgentFileError(path, `cannot be loaded: ${reason}`, { kind, cause: error });
  }
  return module.exports;
}

function checkedStrategy(path: string, module: AgentModule): StrategyDefinition {
  const exported = exportedStrategy(module);
  if (exported === undefined) {
    throw new AgentFileError(path, 'exports no strategy; export a StrategyDefinition as default, or as `strategy`', {
      kind: AGENT,
    });
  }
  const parsed = definitionSchema.safeParse(exported);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue === undefined) throw new AgentFileError(path, 'is not a strategy', { kind: AGENT });
    if (issue.code === 'unrecognized_keys') {
      throw new AgentFileError(path, `has ${issue.keys.join(', ')}, which no strategy has; see docs/new-agent.md`, {
        kind: AGENT,
      });
    }
    throw new AgentFileError(path, `is not a strategy: ${issue.path.join('.') || 'it'} ${issue.message}`, {
      kind: AGENT,
    });
  }
  const { name } = parsed.data;
  if (Object.hasOwn(strategies, name)) {
    throw new AgentFileError(path, `is called ${name}, as a strategy of this version is; give it another name`, {
      kind: AGENT,
    });
  }
  // Returns the original, not the checked copy, because a method may need its object.
  return exported as StrategyDefinition;
}

function checkedCondition(path: string, { default: exported }: AgentModule): Condition {
  const parsed = conditionSchema.safeParse(exported);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new AgentFileError(
      path,
      `is not a condition: ${where || 'its default export'} ${issue?.message ?? 'is wrong'}`,
      {
        kind: CONDITION,
      },
    );
  }
  const { name } = parsed.data;
  if (CONDITIONS.some((each) => each.name === name)) {
    throw new AgentFileError(path, `is called ${name}, as a condition of this version is; give it another name`, {
      kind: CONDITION,
    });
  }
  return exported as Condition;
}
