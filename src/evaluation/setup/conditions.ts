import { BASE } from '../../benchmarks/index.ts';
import { parseCondition, type ConditionRef } from '../../conditions/index.ts';
import { UsageError } from '../../errors/index.ts';

/**
 * Parses the conditions of a run.
 * @param words `tool-errors=0.2`, `user:claims`; `base` is always played
 * @throws UsageError
 */
export function chooseConditions(words: readonly string[]): readonly ConditionRef[] {
  const chosen = words.filter((word) => word !== BASE).map(parseKnown);
  const names = chosen.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`--conditions names ${twice} twice; a run has each condition once.`);
  return chosen;
}

function parseKnown(word: string): ConditionRef {
  const condition = parseCondition(word);
  if (typeof condition === 'string') throw new UsageError(condition);
  return condition;
}
