/** Retirement of models: the dates from the list of models, and warnings before and after them. */

import { isCalled, modelName, type EvaluationConfig, type ModelSettings } from '../evaluation/index.ts';
import { factsByName, readModelList } from './model-list.ts';

export interface Retirement {
  /** Provider and model: `openai/gpt-4o`. */
  readonly model: string;
  /** First day without the model: `2027-01-14`. */
  readonly date: string;
  readonly source: string;
  /** Model that the provider names as its replacement; null: none. */
  readonly successor: string | null;
}

/** Days before a retirement from which it is reported. */
const NOTICE_DAYS = 60;
const DAY_MS = 86_400_000;

type Model = Pick<ModelSettings, 'provider' | 'model'>;

/**
 * @param home folder in which a refreshed list is kept
 * @returns null if no date is known
 */
export async function findRetirement({ provider, model }: Model, home: string): Promise<Retirement | null> {
  const list = await readModelList(home);
  const name = `${provider}/${model}`;
  const { retires, retires_by: by, successor = null } = factsByName(list).get(name) ?? {};
  const own = list.announced?.[name];
  const date = own === undefined ? retires : own;
  if (date === undefined || date === null) return null;
  const source = own === undefined ? (by ?? list.source) : `${provider}'s own list of models`;
  return { model: name, date, source, successor };
}

type Models = Pick<EvaluationConfig, 'agentModel' | 'userModel' | 'roleModels' | 'judgeModel'>;

/** Returns a sentence for each of a run's models that has retired or will within 60 days. */
export async function retirementWarnings(models: Models, home: string, now: Date): Promise<string[]> {
  const { agentModel, userModel, roleModels = {}, judgeModel } = models;
  const roles = [
    ['agent', agentModel],
    ['user', userModel],
    ['judge', judgeModel],
    ...Object.entries(roleModels),
  ] as const;
  const byModel = new Map<string, string[]>();
  for (const [role, model] of roles) {
    if (model === undefined || !isCalled(model)) continue;
    byModel.set(modelName(model), [...(byModel.get(modelName(model)) ?? []), role]);
  }
  const sentences: string[] = [];
  for (const [name, its] of byModel) {
    const slash = name.indexOf('/');
    const found = await findRetirement({ provider: name.slice(0, slash), model: name.slice(slash + 1) }, home);
    if (found !== null && daysLeft(found, now) <= NOTICE_DAYS) sentences.push(describeRetirement(found, its, now));
  }
  return sentences;
}

function daysLeft({ date }: Retirement, now: Date): number {
  return Math.ceil((Date.parse(date) - now.getTime()) / DAY_MS);
}

/** Describes the retirement for the roles: `openai/gpt-4o (user) retires on 2027-01-14, in 47 days (https://…); …`. */
function describeRetirement(retirement: Retirement, roles: readonly string[], now: Date): string {
  const { model, date, source, successor } = retirement;
  const left = daysLeft(retirement, now);
  const when = left > 0 ? `retires on ${date}, in ${left} ${left === 1 ? 'day' : 'days'}` : `retired on ${date}`;
  const next = successor === null ? 'another model' : successor;
  return (
    `${model} (${roles.join(', ')}) ${when} (${source}): move to ${next}, and compare a run on both with ` +
    '`tauflow compare` to keep the series (docs/compare.md).'
  );
}
