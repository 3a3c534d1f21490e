/** The judge's results: tables as text, or one JSON document. */

import { formatTask } from '../../evaluation/index.ts';
import { FAULT_TYPES } from '../../analysis/index.ts';
import {
  figures,
  formatAmount,
  formatCount,
  formatUsd,
  paragraph,
  section,
  type Document,
  type Figure,
} from '../../results/document/index.ts';
import {
  AUTHORS,
  agreementOfVerdicts,
  errorsDocument,
  judgeFigures,
  type Verdict,
  type VerdictPlace,
} from '../../results/judge/index.ts';
import { printJson, shownPath, type CliContext } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { renderTerminal } from '../terminal/render.ts';
import { chooseStyle } from '../terminal/style.ts';
import type { ErrorsRequest } from './request.ts';

interface FoundVerdicts {
  readonly request: ErrorsRequest;
  readonly failed: number;
  readonly verdicts: readonly Verdict[];
  readonly place: VerdictPlace;
}

/** Prints the verdicts. @returns 1 if a failed episode has no verdict, or an incomplete one */
export function showErrors(found: FoundVerdicts, context: CliContext): ExitCode {
  const { request, failed, verdicts, place } = found;
  const files = { errors: request.copy ?? place.document, verdicts: place.folder };
  if (request.options.json) {
    printJson({ subject: request.subject, failed, ...errorsDocument(verdicts), files }, context);
  } else if (failed === 0) {
    context.out(`No episode of ${request.subject} has failed: there is nothing to judge.`);
  } else {
    context.out(renderTerminal(verdictsDocument(found), chooseStyle(context.stdout, context.env)));
    context.out(`verdicts ${shownPath(files.verdicts, context.cwd)}\nerrors   ${shownPath(files.errors, context.cwd)}`);
  }
  const asked = request.maxFailures === null ? failed : Math.min(failed, request.maxFailures);
  const whole = verdicts.filter(({ problem }) => problem === null).length;
  if (whole >= asked) return ExitCode.Done;
  context.log(`${asked - whole} of ${asked} failed episodes have no whole verdict; the same command asks again`);
  return ExitCode.Failed;
}

/** Prints the command that attaches to a judge which continues without this process. */
export function showLeft(
  { subject, workflowId, options }: ErrorsRequest,
  status: 'detached' | 'interrupted',
  code: ExitCode,
  context: CliContext,
): ExitCode {
  context.log('any worker continues it; rerun the same command to follow it');
  if (options.json) printJson({ subject, workflow_id: workflowId, status }, context);
  return code;
}

function verdictsDocument({ request, failed, verdicts }: FoundVerdicts): Document {
  return [
    paragraph(`${request.subject}: ${verdicts.length} of ${formatAmount(failed, 'failed episode')} have a verdict`),
    section('Whose fault', figures(authorLines(verdicts))),
    section("The agent's first fault", figures(faultLines(verdicts))),
    section('Agreement with the faults found in actions and data', figures(agreementLines(verdicts))),
    section('Judge', figures(judgeLines(verdicts))),
  ];
}

const AUTHOR_MEANINGS: Readonly<Record<Verdict['author'], string>> = {
  agent: 'it had what it needed, and erred',
  user: 'the simulated user left its instruction, and the agent followed it',
  environment: 'a tool, or the ground truth',
  infrastructure: 'it ended in an error; no model was asked',
  unjudged: 'the judge gave no answer that can be read',
};

function authorLines(verdicts: readonly Verdict[]): Figure[] {
  return AUTHORS.flatMap((author) => {
    const n = verdicts.filter((verdict) => verdict.author === author).length;
    return n === 0 ? [] : [{ name: author, value: formatPart(n, verdicts.length), meaning: AUTHOR_MEANINGS[author] }];
  });
}

function faultLines(verdicts: readonly Verdict[]): Figure[] {
  const ofAgent = verdicts.filter(({ author }) => author === 'agent');
  return FAULT_TYPES.flatMap((type) => {
    const of = ofAgent.filter(({ faultType }) => faultType === type);
    const tasks = [...new Set(of.toSorted((a, b) => a.taskId - b.taskId).map(formatTask))];
    const meaning = `tasks ${tasks.slice(0, 12).join(', ')}${tasks.length > 12 ? ', …' : ''}`;
    return of.length === 0 ? [] : [{ name: type, value: formatPart(of.length, ofAgent.length), meaning }];
  });
}

function agreementLines(verdicts: readonly Verdict[]): Figure[] {
  const { compared, sameAuthor, typesCompared, sameType, pairs } = agreementOfVerdicts(verdicts);
  if (compared === 0) return [];
  const others = pairs
    .filter(({ judge, deterministic }) => judge !== deterministic)
    .slice(0, 8)
    .map(({ judge, deterministic, count: n }) => ({
      name: '',
      value: String(n),
      meaning: `judge: ${judge ?? 'not the agent'}; actions and data: ${deterministic ?? 'not the agent'}`,
    }));
  return [
    {
      name: 'whether the agent',
      value: formatPart(sameAuthor, compared),
      meaning: 'both say it was the agent, or both not',
    },
    { name: 'which fault', value: formatPart(sameType, typesCompared), meaning: 'of those where both say the agent' },
    ...others,
  ];
}

function judgeLines(verdicts: readonly Verdict[]): Figure[] {
  const figures = judgeFigures(verdicts);
  if (figures.episodes === 0) return [];
  const tokens = `${formatCount(figures.promptTokens)} + ${formatCount(figures.completionTokens)}`;
  return [
    { name: 'model', value: figures.models.join(', '), meaning: '' },
    { name: 'calls', value: formatCount(figures.calls), meaning: `for ${formatCount(figures.episodes)} episodes` },
    { name: 'tokens', value: tokens, meaning: 'of prompts and answers' },
    { name: 'cost', value: formatUsd(figures.costUsd), meaning: 'of these verdicts' },
    ...(figures.unfoundQuotes === 0
      ? []
      : [
          {
            name: 'unfound quotes',
            value: formatCount(figures.unfoundQuotes),
            meaning: 'left out: not in the conversation',
          },
        ]),
  ];
}

/** Formats a count and its share: `12 54%`. */
function formatPart(n: number, all: number): string {
  return `${n} ${all === 0 ? '' : `(${Math.round((100 * n) / all)}%)`}`.trim();
}
