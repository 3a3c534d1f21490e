/**
 * A run's verdicts as one document. It has the two lists of tau-bench's `auto_error_identification.py`, with more
 * fields but only the tool's own authors and fault types: `took_unintended_action` becomes `other`.
 */

import { measureJudgeAgreement, type JudgeAgreement } from '../../analysis/index.ts';
import { sumCosts } from '../../episode/index.ts';
import { snakeKeys } from '../../run-log/index.ts';
import type { Author, Verdict } from './verdict.ts';

type AuthorVerdict = Verdict & { readonly author: Exclude<Author, 'infrastructure' | 'unjudged'> };

/** @param verdicts in the order of the results */
export function errorsDocument(verdicts: readonly Verdict[]): object {
  const judged = verdicts.filter(isJudged);
  return snakeKeys({
    faultAssignmentAnalysis: judged.map(
      ({ taskId, author, description, trial, condition, quotes, deterministic, costUsd }) => {
        return { taskId, author, description, trial, condition, quotes, deterministic, costUsd };
      },
    ),
    faultTypeAnalysis: judged.flatMap(
      ({ taskId, faultType, faultDescription, trial, condition, faultQuotes: quotes }) => {
        if (faultType === null) return [];
        const known = faultType === 'took_unintended_action' ? 'other' : faultType;
        const description = faultDescription ?? '';
        return [{ taskId, faultType: known, description, trial, condition, faultTypeDetail: faultType, quotes }];
      },
    ),
    infrastructure: verdicts.filter(({ author }) => author === 'infrastructure').map(leftOut),
    unjudged: verdicts.filter(({ author, problem }) => author === 'unjudged' || problem !== null).map(leftOut),
    agreement: agreementOfVerdicts(verdicts),
    judge: judgeFigures(verdicts),
  }) as object;
}

/** Measures the agreement of the verdicts with the analysis without a model. */
export function agreementOfVerdicts(verdicts: readonly Verdict[]): JudgeAgreement {
  return measureJudgeAgreement(
    verdicts
      .filter(isJudged)
      .flatMap(({ author, faultType, deterministic }) =>
        deterministic === null ? [] : [{ author, faultType, deterministic: deterministic.faultType }],
      ),
  );
}

/** Returns models, calls and costs of the judge. */
export function judgeFigures(verdicts: readonly Verdict[]) {
  const asked = verdicts.filter(({ model }) => model !== null);
  const sum = (of: (verdict: Verdict) => number) => asked.reduce((total, verdict) => total + of(verdict), 0);
  return {
    models: [...new Set(asked.map(({ model }) => `${model?.provider ?? ''}/${model?.model ?? ''}`))],
    episodes: asked.length,
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    costUsd: sumCosts(asked.map(({ costUsd }) => costUsd)),
    unfoundQuotes: sum(({ unfoundQuotes }) => unfoundQuotes),
  };
}

function isJudged(verdict: Verdict): verdict is AuthorVerdict {
  return verdict.author !== 'infrastructure' && verdict.author !== 'unjudged';
}

function leftOut({ taskId, trial, condition, description, problem }: Verdict) {
  return { taskId, trial, condition, description: problem ?? description };
}
