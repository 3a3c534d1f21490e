/** A grade of τ³-bench as parts, and as the fields of payloads and records. */

import { findPart, isPartMet, undecidedSentences, type Grade, type GradePart, type PartKind } from '../grade.ts';
import type { Overlay } from '../overlay.ts';
import { fromRewardInfo, toRewardInfo, type RewardInfo } from '../tau-bench/reward-info.ts';
import type { SentenceVerdict } from '../types.ts';
import type { RewardBasis } from './criteria.ts';
import type { PreparedTask, Tau3Grade } from './grade.ts';

/** The parts of a grade in payloads and records. */
export interface Tau3Parts {
  /** Checks of the episode; null: it was not graded. */
  readonly checks: Tau3Grade['checks'];
  /** Sentences that the reward depends on, but that have no verdict, so that the reward ignores them. Absent: none. */
  readonly unjudged?: readonly string[];
  /** The judge's decisions, in the order of the task's sentences. */
  readonly verdicts?: readonly SentenceVerdict[];
  /** Reason why the judge has not decided, in one sentence. */
  readonly judgeProblem?: string;
}

type Tau3RewardInfo = RewardInfo & { readonly tau3?: Tau3Parts };

const KIND_OF = {
  DB: 'data',
  ENV_ASSERTION: 'assertions',
  ACTION: 'calls',
  COMMUNICATE: 'outputs',
  NL_ASSERTION: 'sentences',
} as const satisfies Readonly<Record<RewardBasis, PartKind>>;

const BASES = Object.keys(KIND_OF) as RewardBasis[];

/** Sorts parts: first those of the reward basis. */
function byBasis(basis: readonly RewardBasis[], parts: readonly GradePart[]): GradePart[] {
  const kinds: readonly PartKind[] = basis.map((name) => KIND_OF[name]);
  const counted = kinds.flatMap((kind) => parts.filter((part) => part.kind === kind));
  return [
    ...counted.map((part) => ({ ...part, counts: true })),
    ...parts.filter(({ kind }) => !kinds.includes(kind)).map((part) => ({ ...part, counts: false })),
  ];
}

/** @param hash computes the hash of the required state for a grade that has it */
export function toGrade(
  { criteria, wanted: state }: PreparedTask,
  { reward, checks }: Tau3Grade,
  hash: (state: Overlay) => string,
): Grade {
  const { communicateInfo: outputs = [], nlAssertions: sentences = [] } = criteria ?? {};
  const compare = (wanted: readonly string[], met: readonly boolean[]) =>
    wanted.map((each, at) => ({ wanted: each, isMet: met[at] === true }));
  const named = (calls: readonly { readonly name: string }[] | null | undefined) =>
    calls?.map(({ name }) => name) ?? [];
  const said = compare(outputs, checks?.communicate.met ?? []);
  const parts: GradePart[] = [
    {
      kind: 'data',
      counts: false,
      checks: [{ wanted: outputs.length > 0 ? null : hash(state), isMet: checks?.db ?? true }],
      numberSpellingOnly: false,
    },
    { kind: 'outputs', counts: false, checks: said, areWords: said.every(({ isMet }) => isMet) },
  ];
  if (checks === null) return { reward, parts };
  const { basis, envAssertions, actions, nlAssertions } = checks;
  parts.push(
    { kind: 'assertions', counts: false, checks: compare(named(criteria?.envAssertions), envAssertions.met) },
    { kind: 'calls', counts: false, checks: compare(named(criteria?.actions), actions.met) },
    {
      kind: 'sentences',
      counts: false,
      checks: nlAssertions
        ? compare(sentences, nlAssertions.met)
        : sentences.map((wanted) => ({ wanted, isMet: null })),
    },
  );
  return { reward, parts: byBasis(basis, parts) };
}

/** Returns the judge's decisions; none without a judge. */
export function listVerdicts(grade: Grade): readonly SentenceVerdict[] {
  return (findPart(grade, 'sentences')?.checks ?? []).flatMap(({ wanted, isMet, reason }) =>
    wanted === null || isMet === null || reason === undefined ? [] : [{ assertion: wanted, met: isMet, reason }],
  );
}

export function toTau3Info(grade: Grade): Tau3RewardInfo {
  const { problem } = findPart(grade, 'sentences') ?? {};
  const unjudged = undecidedSentences(grade);
  const verdicts = listVerdicts(grade);
  return {
    ...toRewardInfo(grade),
    tau3: {
      checks: findPart(grade, 'calls') === undefined ? null : toChecks(grade),
      ...(unjudged.length === 0 ? {} : { unjudged }),
      ...(verdicts.length === 0 ? {} : { verdicts }),
      ...(problem === undefined ? {} : { judgeProblem: problem }),
    },
  };
}

function toChecks(grade: Grade): Tau3Parts['checks'] {
  const counted = grade.parts.filter(({ counts }) => counts).map(({ kind }) => kind);
  const ofPart = (kind: PartKind) => ({
    reward: isPartMet(grade, kind) ? (1 as const) : (0 as const),
    met: findPart(grade, kind)?.checks.map(({ isMet }) => isMet === true) ?? [],
  });
  const isDecided = findPart(grade, 'sentences')?.checks.every(({ isMet }) => isMet !== null) === true;
  return {
    basis: counted.flatMap((kind) => BASES.filter((name) => KIND_OF[name] === kind)),
    db: isPartMet(grade, 'data'),
    envAssertions: ofPart('assertions'),
    actions: ofPart('calls'),
    communicate: ofPart('outputs'),
    ...(isDecided ? { nlAssertions: ofPart('sentences') } : {}),
  };
}

export function fromTau3Info(info: Tau3RewardInfo): Grade {
  const { reward, parts } = fromRewardInfo(info);
  const { checks = null, unjudged, verdicts, judgeProblem } = info.tau3 ?? {};
  if (checks === null) return { reward, parts: byBasis([], parts) };
  const { basis, envAssertions, actions, nlAssertions } = checks;
  const unnamed = ({ met }: { readonly met: readonly boolean[] }) => met.map((isMet) => ({ wanted: null, isMet }));
  const sentences =
    verdicts?.map(({ assertion, met, reason }) => ({ wanted: assertion, isMet: met, reason })) ??
    (nlAssertions && unnamed(nlAssertions)) ??
    unjudged?.map((wanted) => ({ wanted, isMet: null }));
  const problem = judgeProblem === undefined ? {} : { problem: judgeProblem };
  return {
    reward,
    parts: byBasis(basis, [
      ...parts,
      { kind: 'assertions', counts: false, checks: unnamed(envAssertions) },
      { kind: 'calls', counts: false, checks: unnamed(actions) },
      ...(sentences ? [{ kind: 'sentences', counts: false, checks: sentences, ...problem } as const] : []),
    ]),
  };
}
