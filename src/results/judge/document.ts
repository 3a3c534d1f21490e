/**
 * A run's verdicts as one document: tau-bench's `auto_error_identification.py` has its two lists, with more fields in
 * their items and more lists beside them.
 *
 * What readers of tau-bench's lists do not know is in neither: an author is `user`, `agent` or `environment`, a fault
 * type one of four. `took_unintended_action` is `other` there, with the finer name beside it.
 */

import { measureAgreement, type Agreement, type FaultType } from '../../analysis/index.ts';
import { addCosts } from '../../wire/index.ts';
import type { Author, Verdict } from './verdict.ts';

type Judged = Verdict & { readonly author: Exclude<Author, 'infrastructure' | 'unjudged'> };

/** @param verdicts in the order of the results */
export function errorsDocument(verdicts: readonly Verdict[]) {
  const judged = verdicts.filter(isJudged);
  return {
    fault_assignment_analysis: judged.map((verdict) => ({
      task_id: verdict.taskId,
      author: verdict.author,
      description: verdict.description,
      trial: verdict.trial,
      quotes: verdict.quotes,
      deterministic: deterministicOf(verdict),
      cost_usd: verdict.costUsd,
    })),
    fault_type_analysis: judged.flatMap((verdict) =>
      verdict.faultType === null
        ? []
        : [
            {
              task_id: verdict.taskId,
              fault_type: asTauBench(verdict.faultType),
              description: verdict.faultDescription ?? '',
              trial: verdict.trial,
              fault_type_detail: verdict.faultType,
              quotes: verdict.faultQuotes,
            },
          ],
    ),
    infrastructure: verdicts.filter(({ author }) => author === 'infrastructure').map(leftOut),
    unjudged: verdicts.filter(({ author, problem }) => author === 'unjudged' || problem !== null).map(leftOut),
    agreement: agreementDocument(agreementOfVerdicts(verdicts)),
    judge: judgeFigures(verdicts),
  };
}

/** Of the verdicts whose episode was analysed without a model as well. */
export function agreementOfVerdicts(verdicts: readonly Verdict[]): Agreement {
  return measureAgreement(
    verdicts
      .filter(isJudged)
      .flatMap(({ author, faultType, deterministic }) =>
        deterministic === null ? [] : [{ author, faultType, deterministic: deterministic.faultType }],
      ),
  );
}

/** Costs of the judge of these verdicts; models and figures for a report's `judge` section. */
export function judgeFigures(verdicts: readonly Verdict[]) {
  const asked = verdicts.filter(({ model }) => model !== null);
  const sum = (of: (verdict: Verdict) => number) => asked.reduce((total, verdict) => total + of(verdict), 0);
  return {
    models: [...new Set(asked.map(({ model }) => `${model?.provider ?? ''}/${model?.model ?? ''}`))],
    episodes: asked.length,
    calls: sum(({ calls }) => calls),
    prompt_tokens: sum(({ promptTokens }) => promptTokens),
    completion_tokens: sum(({ completionTokens }) => completionTokens),
    cost_usd: asked.reduce<number | null>((total, { costUsd }) => addCosts(total, costUsd), 0),
    unfound_quotes: sum(({ unfoundQuotes }) => unfoundQuotes),
  };
}

function isJudged(verdict: Verdict): verdict is Judged {
  return verdict.author !== 'infrastructure' && verdict.author !== 'unjudged';
}

function asTauBench(faultType: FaultType): Exclude<FaultType, 'took_unintended_action'> {
  return faultType === 'took_unintended_action' ? 'other' : faultType;
}

function deterministicOf({ deterministic }: Verdict) {
  if (deterministic === null) return null;
  const { kind, faultType, step } = deterministic;
  return { kind, fault_type: faultType, step };
}

function leftOut({ taskId, trial, description, problem }: Verdict) {
  return { task_id: taskId, trial, description: problem ?? description };
}

function agreementDocument({ compared, sameAuthor, typesCompared, sameType, pairs }: Agreement) {
  return {
    compared,
    same_author: sameAuthor,
    types_compared: typesCompared,
    same_type: sameType,
    pairs,
  };
}
