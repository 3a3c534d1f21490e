import { BASE } from '../../benchmarks/index.ts';
import { UsageError } from '../../errors/index.ts';
import { isConditionName, type ConditionRef } from '../index.ts';

/**
 * Parses the conditions of a run.
 * @param words `tool-errors=0.2`, `user:claims`; `base` is always played
 * @throws UsageError
 */
export function chooseConditions(words: readonly string[]): readonly ConditionRef[] {
  const chosen = words.filter((word) => word !== BASE).map(parseCondition);
  const names = chosen.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`--conditions names ${twice} twice; a run has each condition once.`);
  return chosen;
}

function parseCondition(word: string): ConditionRef {
  const [, given = '', rate] = /^(.*?)(?:=([\d.]+))?$/.exec(word) ?? [];
  const name = given.replace(':', '-');
  if (!isConditionName(name)) throw new UsageError(`--conditions has "${word}", which is not the name of a condition.`);
  return rate === undefined ? { name } : { name, rate: Number(rate) };
}
