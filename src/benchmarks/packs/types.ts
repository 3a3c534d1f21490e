/** A domain pack in memory, frozen and shared by all episodes of a process, and the error for an unusable pack. */

import { isDict, type PyDict, type PyList, type PyValue } from '../python/index.ts';
import type { Task } from '../index.ts';
import { UsageError } from '../../errors/index.ts';
import type { EnvironmentService, ServiceDomain, ServiceStart } from '../service/port.ts';
import type { PackRef } from './ref.ts';

/**
 * The user simulators' texts from the pack's `user-prompts.json`. `{instruction}` marks the place of the task's
 * instruction.
 */
export interface UserPrompts {
  readonly greeting: string;
  readonly strategies: Readonly<
    Record<string, { readonly systemPrompt: string; readonly systemPromptWithoutInstruction: string }>
  >;
  /** Asks a supervising model to judge a reply: `{transcript}` and `{response}` mark their places. */
  readonly verifyPrompt?: string;
  /** Asks the model for a better reply, with the same marks. */
  readonly reflectPrompt?: string;
}

/** The environment service of a pack. */
export interface PackEnvironment {
  readonly service: EnvironmentService;
  readonly domain: ServiceDomain;
  /**
   * Returns the policy, tools and prompts of a task, and the service's answer with them. @throws
   * EnvironmentServiceError
   */
  readonly taskPack: (task: Task) => Promise<{ readonly pack: Pack; readonly start: ServiceStart }>;
}

export interface Pack {
  readonly ref: PackRef;
  /** One of a benchmark's domains, such as `retail`. */
  readonly domain: string;
  readonly source: string;
  readonly licence: string;
  /** Version of the benchmark that the pack was imported from; absent if its manifest has none. */
  readonly version?: string | undefined;
  /** Names of files that were changed since the benchmark published them. @default none */
  readonly changedFiles?: readonly string[] | undefined;
  /** The environment's initial data: tables with their records, in the domain's order. Deep-frozen by convention. */
  readonly tables: PyDict;
  readonly policy: string;
  /** The agent's system prompt. @default made from the policy */
  readonly systemPrompt?: string | undefined;
  /** Tool schemas in the reference's order, OpenAI's function form. */
  readonly tools: PyList;
  /** Tools of the simulated user. @default none */
  readonly userTools?: PyList | undefined;
  readonly terminateTools: readonly string[];
  /** Short form of the domain's rules; no strategy of the benchmark uses it. */
  readonly rules?: readonly string[];
  readonly userPrompts: UserPrompts;
  /** Texts by key: `act_instruction`, `react_instruction`, …. */
  readonly agentPrompts: Readonly<Record<string, string>>;
  /** Solved conversations as text, for the few-shot strategy, in the file's order. Absent if the pack has none. */
  readonly fewShotDisplays?: readonly string[];
  /** Tasks by split; a task's id is its position. */
  readonly splits: Readonly<Record<string, readonly Task[]>>;
  /** The pack's environment service; absent if the program has the domain's code. */
  readonly environment?: PackEnvironment;
}

/** Returns the name in a tool's schema. Packs are checked for it when they are read. */
export function toolName(tool: PyValue): string {
  const described = isDict(tool) ? tool.get('function') : undefined;
  const name = isDict(described) ? described.get('name') : undefined;
  return typeof name === 'string' ? name : '';
}

/** One sentence on a problem of a pack: file, place, problem and valid values. */
export type PackProblem = string;

/**
 * Error of an unusable pack. The message is the first problem's sentence. If there are more, it ends with their number;
 * {@link PackError.problems} has them all.
 */
export class PackError extends UsageError {
  override readonly name = 'PackError';
  readonly problems: readonly PackProblem[];

  constructor(problem: PackProblem | readonly PackProblem[]) {
    const problems = typeof problem === 'string' ? [problem] : problem;
    const [first = 'the pack cannot be used', ...rest] = problems;
    super(rest.length === 0 ? first : `${first.replace(/\.$/, '')} (and ${countMore(rest.length)} in this pack).`);
    this.problems = problems;
  }
}

function countMore(count: number): string {
  return count === 1 ? '1 more problem' : `${String(count)} more problems`;
}

/** Throws an error with the collected problems, if there are any. */
export function throwProblems(problems: readonly PackProblem[]): void {
  if (problems.length > 0) throw new PackError(problems);
}

/** Joins words: `a, b and c`; `or` for alternatives. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (words.length <= 1) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1) ?? ''}`;
}

/** Short name of a pack, `retail-3fa91c`: its domain and the first digits of its digest. */
export function formatPackKey(pack: { readonly domain: string; readonly ref: { readonly digest: string } }): string {
  return `${pack.domain}-${pack.ref.digest.slice(0, 6)}`;
}
