/** Measures a ranker on the held-out utterances: the figures of "The classifier differs" in docs/conformance.md. */

import { catalogueOf } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import type { Catalogue, RankedCommand } from '../../../src/agents/fastworkflow/public.ts';
import { recognise, settle, sortRanking, type Detection } from '../../../src/agents/fastworkflow/testing.ts';
import { HELD_OUT, type HeldOut } from './tables/held-out.ts';

export type Ranker = (
  utterance: string,
  catalogue: Catalogue,
) => readonly RankedCommand[] | Promise<readonly RankedCommand[]>;

/** Texts by what came of them. */
export interface Outcomes {
  readonly texts: number;
  /** The likeliest command of the ranking is one that is meant. */
  readonly likeliest: number;
  readonly carriedOutRight: number;
  readonly carriedOutWrong: number;
  readonly suggested: number;
  /** Texts for which other commands alone are suggested. */
  readonly othersSuggested: number;
  readonly misunderstood: number;
}

export interface Figures {
  readonly utterances: Outcomes;
  readonly two: Outcomes;
  readonly none: Outcomes;
}

export const MEASURED = Object.keys(HELD_OUT) as (keyof typeof HELD_OUT)[];

export async function measureHeldOut(domain: keyof typeof HELD_OUT, ranker: Ranker): Promise<Figures> {
  return measure(HELD_OUT[domain], catalogueOf(domain), ranker);
}

async function measure({ utterances, two, none }: HeldOut, catalogue: Catalogue, ranker: Ranker): Promise<Figures> {
  const texts = utterances.flatMap(([meant, said]) => said.map((text) => [text, [meant]] as const));
  return {
    utterances: await countOutcomes(texts, catalogue, ranker),
    two: await countOutcomes(two, catalogue, ranker),
    none: await countOutcomes(
      none.map((text) => [text, []]),
      catalogue,
      ranker,
    ),
  };
}

async function countOutcomes(
  texts: readonly (readonly [text: string, meant: readonly string[]])[],
  catalogue: Catalogue,
  ranker: Ranker,
): Promise<Outcomes> {
  const counts = { likeliest: 0, carriedOutRight: 0, carriedOutWrong: 0, suggested: 0, othersSuggested: 0 };
  let misunderstood = 0;
  const rankings = await inBatches(texts, ([text]) => ranker(text, catalogue));
  for (const [at, [text, meant]] of texts.entries()) {
    const ranking = rankings[at] ?? [];
    if (meant.includes(sortRanking(ranking)[0]?.name ?? '')) counts.likeliest++;
    const outcome = outcomeOf(detectWith(text, ranking, catalogue), meant);
    if (outcome === 'misunderstood') misunderstood++;
    else counts[outcome]++;
  }
  return { texts: texts.length, ...counts, misunderstood };
}

/** Texts that a model ranks at the same time. */
const BATCH = 8;

async function inBatches<T, R>(items: readonly T[], run: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    results.push(...(await Promise.all(items.slice(at, at + BATCH).map(run))));
  }
  return results;
}

function detectWith(text: string, ranking: readonly RankedCommand[], catalogue: Catalogue): Detection {
  const recognised = recognise(text, { catalogue, learned: new Map() });
  return recognised.kind === 'open' ? settle(text, recognised, ranking, catalogue) : recognised;
}

function outcomeOf(detection: Detection, meant: readonly string[]): Exclude<keyof Outcomes, 'texts' | 'likeliest'> {
  switch (detection.kind) {
    case 'command':
      return meant.includes(detection.command.name) ? 'carriedOutRight' : 'carriedOutWrong';
    case 'ambiguous':
      return detection.candidates.some((name) => meant.includes(name)) ? 'suggested' : 'othersSuggested';
    case 'core':
    case 'empty':
    case 'misunderstood':
      return 'misunderstood';
  }
}

export const COLUMNS = [
  'held-out texts',
  'texts',
  'ranked first',
  'carried out, right',
  'carried out, wrong',
  'suggested',
  'only others suggested',
  'not understood',
];

/** The rows of the page's table, of one domain. */
export function figureRows(domain: string, { utterances, two, none }: Figures): readonly (readonly string[])[] {
  const share = `${((100 * utterances.likeliest) / utterances.texts).toFixed(1)} %`;
  const row = (label: string, likeliest: string, outcomes: Outcomes) => [
    label,
    String(outcomes.texts),
    likeliest,
    String(outcomes.carriedOutRight),
    String(outcomes.carriedOutWrong),
    String(outcomes.suggested),
    String(outcomes.othersSuggested),
    String(outcomes.misunderstood),
  ];
  return [row(domain, share, utterances), row(`${domain}, two commands`, '', two), row(`${domain}, none`, '', none)];
}
