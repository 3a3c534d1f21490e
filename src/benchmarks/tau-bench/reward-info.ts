/** tau-bench's `reward_info`, the form in which grades cross Temporal and are recorded. */

import type { PyDict } from '../python/index.ts';
import { findPart, isPartMet, type Grade } from '../grade.ts';

/** The field `info` of `reward_info`, which has two shapes. */
type RewardDetail =
  | { readonly kind: 'actions'; readonly rActions: boolean; readonly gtDataHash: string }
  | {
      readonly kind: 'outputs';
      readonly rOutputs: boolean;
      /** Outputs in the task's order. */
      readonly outputs: readonly (readonly [output: string, told: boolean])[];
    };

/** A recorded grade. A benchmark with other parts has a further field. */
export interface RewardInfo {
  readonly reward: number;
  readonly detail: RewardDetail;
  /** Diagnostics beyond the reference's: true if the final data equal the ground truth's. */
  readonly dataMatches: boolean;
  readonly numberSpellingOnly: boolean;
  /** True if the agent said each output as a separate word. */
  readonly strictOutputs: boolean;
}

/** The result of grading as it crosses Temporal. */
export type GradeOutput =
  { readonly kind: 'graded'; readonly info: RewardInfo } | { readonly kind: 'raised'; readonly message: string };

export function toRewardInfo(grade: Grade): RewardInfo {
  const data = findPart(grade, 'data');
  const { checks = [], areWords = true } = findPart(grade, 'outputs') ?? {};
  const dataMatches = isPartMet(grade, 'data');
  return {
    reward: grade.reward,
    detail:
      checks.length > 0
        ? {
            kind: 'outputs',
            rOutputs: isPartMet(grade, 'outputs'),
            outputs: checks.map(({ wanted, isMet }) => [wanted ?? '', isMet === true] as const),
          }
        : { kind: 'actions', rActions: dataMatches, gtDataHash: data?.checks[0]?.wanted ?? '' },
    dataMatches,
    numberSpellingOnly: data?.numberSpellingOnly ?? false,
    strictOutputs: areWords,
  };
}

export function fromRewardInfo({ reward, detail, ...rest }: RewardInfo): Grade {
  const { dataMatches, numberSpellingOnly, strictOutputs: areWords } = rest;
  const wanted = detail.kind === 'actions' ? detail.gtDataHash : null;
  const outputs = detail.kind === 'outputs' ? detail.outputs : [];
  return {
    reward,
    parts: [
      { kind: 'data', counts: true, checks: [{ wanted, isMet: dataMatches }], numberSpellingOnly },
      {
        kind: 'outputs',
        counts: true,
        checks: outputs.map(([output, isMet]) => ({ wanted: output, isMet })),
        areWords,
      },
    ],
  };
}

/** The reward and its `info` as the reference writes them. */
interface ReferenceInfo {
  readonly reward: number;
  readonly info:
    | { readonly r_actions: number; readonly gt_data_hash: string }
    | { readonly r_outputs: number; readonly outputs: PyDict };
}

export function toReferenceInfo({ reward, detail }: RewardInfo): ReferenceInfo {
  const info =
    detail.kind === 'actions'
      ? { r_actions: Number(detail.rActions), gt_data_hash: detail.gtDataHash }
      : { r_outputs: Number(detail.rOutputs), outputs: new Map(detail.outputs) };
  return { reward, info };
}

export function fromReferenceInfo({ reward, info }: ReferenceInfo): Pick<RewardInfo, 'reward' | 'detail'> {
  const detail: RewardDetail =
    'outputs' in info
      ? {
          kind: 'outputs',
          rOutputs: info.r_outputs === 1,
          outputs: Array.from(info.outputs, ([output, isTold]) => [output, isTold === true] as const),
        }
      : { kind: 'actions', rActions: info.r_actions === 1, gtDataHash: info.gt_data_hash };
  return { reward, detail };
}
