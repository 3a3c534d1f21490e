/** Parts of an exported run that need its pack: tasks in their benchmark's form, and details of grades. */

import {
  PyFloat,
  isDict,
  isList,
  parseObject,
  type DumpableValue,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import { findPart, isPartMet, undecidedSentences, type PartKind } from '../../grade.ts';
import type { ExportedEpisode, ExportedPack, ExportedRun } from '../../results-format.ts';
import { splitDomain } from '../../service/domain.ts';
import type { SentenceVerdict, Task } from '../../types.ts';
import type { RewardBasis } from '../criteria.ts';
import { findTool } from '../domain.ts';
import { tau3Domains } from '../domains.ts';
import { episodeMessages } from '../episode.ts';
import { listVerdicts } from '../grade-parts.ts';
import { gradeTau3, prepareTask, type PreparedTask, type Tau3Grade } from '../grade.ts';
import { toTermination } from '../termination.ts';

export interface Tau2Tasks {
  /** The agent's policy; empty if the pack is not on this machine. */
  readonly policy: string;
  /** Returns a task in the benchmark's form; undefined for tau-bench. */
  readonly getRawTask: (taskId: number) => Promise<PyDict | undefined>;
  /** Returns an episode's `reward_info`, graded from its record; absent for tau-bench. */
  readonly createRewardInfo: (episode: ExportedEpisode) => DumpableValue | undefined;
  /** Returns true if one of the returned `reward_info` has sentences without verdicts. */
  readonly isJudgeMissing: () => boolean;
}

/** @param pack undefined if the pack is not on this machine */
export function tau2Tasks(
  { config }: { readonly config: Pick<ExportedRun['config'], 'env' | 'split'> },
  pack: ExportedPack | undefined,
): Tau2Tasks {
  const domain = tau3Domains.get(config.env);
  const policy = pack?.policy ?? '';
  const findTask = (taskId: number) => pack?.splits[config.split]?.[taskId];
  if (isOfPackage(config.env)) return packageTasks(policy, findTask, pack?.environment);
  if (pack === undefined || domain === undefined) {
    return {
      policy,
      getRawTask: () => Promise.resolve(undefined),
      createRewardInfo: () => undefined,
      isJudgeMissing: () => false,
    };
  }
  const prepared = new Map<number, PreparedTask>();
  const rawTask = (taskId: number) => findTask(taskId)?.content;
  let missing = 0;
  return {
    policy,
    getRawTask: (taskId) => Promise.resolve(rawTask(taskId)),
    createRewardInfo: ({ taskId, outcome, trajectory, grade }) => {
      const verdicts = grade === null ? [] : listVerdicts(grade);
      const raw = rawTask(taskId);
      const termination = toTermination(outcome.kind);
      if (raw === undefined || termination === 'infrastructure_error') return undefined;
      const task = prepared.get(taskId) ?? prepareTask(domain, pack, raw);
      prepared.set(taskId, task);
      const episode = { messages: episodeMessages(trajectory), termination };
      const graded = gradeTau3(task, episode, verdicts.length === 0 ? undefined : verdicts.map(({ met }) => met));
      if (graded.isJudgeMissing) missing++;
      return rewardInfo(raw, task, graded, verdicts);
    },
    isJudgeMissing: () => missing > 0,
  };
}

/** True for a domain of τ³-bench's own package, which the adapter serves. */
export function isOfPackage(env: string): boolean {
  return splitDomain(env).service === 'tau2';
}

const BASIS: Readonly<Record<PartKind, RewardBasis>> = {
  data: 'DB',
  outputs: 'COMMUNICATE',
  calls: 'ACTION',
  assertions: 'ENV_ASSERTION',
  sentences: 'NL_ASSERTION',
};

/**
 * Returns the parts for a run with τ³-bench's own package. The package has graded the episodes, and only the package
 * has the whole tasks.
 */
function packageTasks(
  policy: string,
  findTask: (taskId: number) => Task | undefined,
  environment: ExportedPack['environment'],
): Tau2Tasks {
  let missing = 0;
  return {
    policy,
    async getRawTask(taskId) {
      const task = findTask(taskId);
      const started = task === undefined ? undefined : await environment?.taskPack(task);
      return parseObject(started?.start.content ?? '') ?? undefined;
    },
    createRewardInfo({ grade, reward }) {
      if (grade === null) return undefined;
      if (undecidedSentences(grade).length > 0) missing++;
      const isMet = isPartMet(grade, 'data');
      const verdicts = listVerdicts(grade);
      return {
        reward: new PyFloat(Number(reward)),
        db_check: findPart(grade, 'data') && { db_match: isMet, db_reward: share(isMet) },
        communicate_checks: findPart(grade, 'outputs')?.checks.map((check) =>
          toSaidInfo(check.wanted ?? '', check.isMet === true),
        ),
        nl_assertions: verdicts.length === 0 ? undefined : verdicts.map(toNlAssertion),
        reward_basis: grade.parts.flatMap(({ kind, counts }) => (counts ? [BASIS[kind]] : [])),
      };
    },
    isJudgeMissing: () => missing > 0,
  };
}

function toNlAssertion({ assertion, met, reason }: SentenceVerdict): object {
  return { nl_assertion: assertion, met, justification: reason };
}

const share = (met: boolean) => new PyFloat(met ? 1 : 0);

/** Returns τ³-bench's `reward_info`, with the task's actions and assertions. */
function rewardInfo(
  raw: PyDict,
  { domain, criteria }: PreparedTask,
  graded: Tau3Grade,
  verdicts: readonly SentenceVerdict[],
): DumpableValue {
  const { reward, checks, isJudgeMissing, raised } = graded;
  if (checks === null || criteria === null) {
    const note = raised ?? (criteria === null ? 'No evaluation criteria' : 'The episode has ended too early.');
    return { reward: share(reward === 1), reward_basis: null, info: { note } };
  }
  const { db, envAssertions, actions, communicate, nlAssertions } = checks;
  const parts: Record<RewardBasis, boolean | undefined> = {
    DB: db,
    ENV_ASSERTION: envAssertions.reward === 1,
    ACTION: actions.reward === 1,
    COMMUNICATE: communicate.reward === 1,
    NL_ASSERTION: nlAssertions && nlAssertions.reward === 1,
  };
  const counted = checks.basis.flatMap((part) =>
    parts[part] === undefined ? [] : [[part, share(parts[part])] as const],
  );
  return {
    reward: share(reward === 1),
    db_check: { db_match: db, db_reward: share(db) },
    env_assertions: rawList(raw, 'env_assertions').map((env_assertion, at) => ({
      env_assertion,
      met: envAssertions.met[at] === true,
      reward: share(envAssertions.met[at] === true),
    })),
    action_checks: rawList(raw, 'actions').map((action, at) => ({
      action,
      action_match: actions.met[at] === true,
      action_reward: share(actions.met[at] === true),
      tool_type: findTool(domain, criteria.actions?.[at]?.name ?? '')?.kind ?? null,
    })),
    communicate_checks: criteria.communicateInfo.map((info, at) => toSaidInfo(info, communicate.met[at] === true)),
    ...(verdicts.length === 0
      ? {}
      : {
          nl_assertions: verdicts.map(toNlAssertion),
        }),
    reward_basis: checks.basis,
    reward_breakdown: Object.fromEntries(counted),
    info: isJudgeMissing ? { note: 'NL_ASSERTION was not judged: the reward is without it.' } : {},
  };
}

/** Formats the check of a text that the agent had to say. */
export function toSaidInfo(info: string, met: boolean): object {
  return { info, met, justification: met ? 'The agent has said it.' : 'The agent has not said it.' };
}

function rawList(raw: PyDict, name: string): readonly PyValue[] {
  const criteria = raw.get('evaluation_criteria') ?? null;
  const list = isDict(criteria) ? (criteria.get(name) ?? null) : null;
  return isList(list) ? list : [];
}
