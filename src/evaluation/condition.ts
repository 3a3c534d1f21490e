import type { RunCondition } from '../conditions/index.ts';
import type { EpisodeKey } from '../benchmarks/index.ts';
import type { EvaluationConfig } from './config.schema.ts';

/** Returns the condition of an episode; undefined for `base`. */
export function conditionOf(
  { conditions = [], seed }: Pick<EvaluationConfig, 'conditions' | 'seed'>,
  { condition: name }: Pick<EpisodeKey, 'condition'>,
): RunCondition | undefined {
  if (name === undefined) return undefined;
  const ref = conditions.find((each) => each.name === name);
  if (ref === undefined) throw new Error(`the run has no condition ${name}`);
  return { ...ref, seed };
}
