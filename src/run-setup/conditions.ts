/** Parses the conditions of a run from the words of its command line. */

import { resolve } from 'node:path';
import { fewShotOptions, type StrategyOptions } from '../agents/index.ts';
import { loadCondition } from '../agents/from-file/index.ts';
import { BASE } from '../benchmarks/index.ts';
import type { Pack } from '../benchmarks/packs/index.ts';
import {
  formatConditionName,
  isConditionFile,
  parseCondition,
  requireCondition,
  runPlace,
  type ConditionRef,
} from '../conditions/index.ts';
import { UsageError } from '../errors/index.ts';
import { nameFacts } from '../models/prompts/index.ts';
import type { EvaluationConfig } from '../evaluation/index.ts';

/** The run to which the conditions apply. */
interface Setting {
  readonly pack: Pack;
  readonly strategyOptions: StrategyOptions;
  readonly seed: number;
  readonly cwd: string;
  readonly isSimulated: boolean;
  /** True if an outside harness steps the environment. */
  readonly isOutside: boolean;
  /** Configuration of the resumed run. */
  readonly recorded: Pick<EvaluationConfig, 'conditions'> | undefined;
}

/**
 * Parses the conditions of a run.
 * @param words `tool-errors=0.2`, `user:claims`, `./my-condition.ts`; `base` is always played
 * @throws UsageError
 */
export async function chooseConditions(words: readonly string[], setting: Setting): Promise<readonly ConditionRef[]> {
  const asked = words.filter((word) => word !== BASE);
  if (asked.length > 0 && setting.isOutside) {
    throw new UsageError(
      'with --decisions stdio an outside harness takes the calls that conditions change; leave --conditions out.',
    );
  }
  if (asked.length > 0 && setting.strategyOptions.decisionOnly === true) {
    throw new UsageError('--conditions compares scores, and --decision-only gives none; leave one of them out.');
  }
  const chosen = await Promise.all(asked.map((word) => parseWord(word, setting.cwd)));
  const names = chosen.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`--conditions names ${twice} twice; a run has each condition once.`);
  for (const ref of chosen) requireFit(ref, setting);
  return chosen.map((ref) => withNames(ref, setting));
}

async function parseWord(word: string, cwd: string): Promise<ConditionRef> {
  if (isConditionFile(word)) {
    const { condition, file } = await loadCondition(resolve(cwd, word));
    return { name: condition.name, file };
  }
  const condition = parseCondition(word);
  if (typeof condition === 'string') throw new UsageError(condition);
  return condition;
}

/** @throws UsageError for a condition that does not apply to the run's user or agent */
function requireFit(ref: ConditionRef, { pack, strategyOptions, isSimulated }: Setting): void {
  const { persona, names } = requireCondition(ref);
  const name = formatConditionName(ref.name);
  if (persona !== undefined && (!isSimulated || pack.ref.environment?.rules === 'solo')) {
    throw new UsageError(`the condition ${name} is about a simulated user, and the run has none; leave it out.`);
  }
  if (names !== undefined && fewShotOptions(strategyOptions)?.file !== undefined) {
    throw new UsageError(
      `the displays of --few-shot-displays-path have the names that the condition ${name} changes; leave one of them out.`,
    );
  }
}

/** Adds other names to the conditions that need them. A resumed run has its recorded names. */
function withNames(ref: ConditionRef, { pack, seed, recorded }: Setting): ConditionRef {
  const { names } = requireCondition(ref);
  if (names === undefined) return ref;
  const before = recorded?.conditions?.find(({ name }) => name === ref.name)?.names;
  return { ...ref, names: before ?? names(nameFacts(pack), runPlace({ ...ref, seed })) };
}
