/** τ³-bench's grading: the parts that a task's basis names; its sentences are decided by a judge model. */

import type { GradeDeps, GradeOutput, GradedConversation, Grading, RewardInfo, SentenceJudging } from '../grading.ts';
import type { EnvData } from '../overlay.ts';
import type { Task } from '../types.ts';
import { readCriteria } from './criteria.ts';
import { tau3Domains } from './domains.ts';
import { episodeMessages } from './episode.ts';
import { gradeTau3, prepareTask, type PreparedTask } from './grade.ts';
import { withVerdicts } from './judged.ts';
import { isSentenceJudge, nlJudgePrompt, readNlVerdicts } from './nl-assertions.ts';

const prepared = new WeakMap<Task, PreparedTask>();

/** The task's first and wanted state, made once: they cost more than a grade, and are the same for every trial. */
export function preparedTask(data: EnvData, task: Task): PreparedTask {
  let known = prepared.get(task);
  if (known === undefined) {
    const domain = tau3Domains.get(data.domain);
    if (domain === undefined) throw new Error(`this version has no domain ${data.domain}`);
    prepared.set(task, (known = prepareTask(domain, data, task.content ?? new Map())));
  }
  return known;
}

function grade(data: EnvData, task: Task, { messages }: GradedConversation, { hash }: GradeDeps): GradeOutput {
  const known = preparedTask(data, task);
  const { reward, checks, isJudgeMissing } = gradeTau3(known, {
    messages: episodeMessages(messages()),
    termination: 'user_stop',
  });
  const areSaid = checks?.communicate.met ?? [];
  const allSaid = areSaid.every(Boolean);
  const dataMatches = checks?.db ?? true;
  const detail: RewardInfo['detail'] =
    task.outputs.length > 0
      ? {
          kind: 'outputs',
          rOutputs: allSaid,
          outputs: task.outputs.map((output, at) => [output, areSaid[at] ?? false] as const),
        }
      : { kind: 'actions', rActions: dataMatches, gtDataHash: hash(known.wanted) };
  const tau3 = { checks, ...(isJudgeMissing ? { unjudged: known.criteria?.nlAssertions ?? [] } : {}) };
  return {
    kind: 'graded',
    info: { reward, detail, dataMatches, numberSpellingOnly: false, strictOutputs: allSaid, tau3 },
  };
}

const judging: SentenceJudging = {
  sentencesOf({ content }) {
    const criteria = content === undefined ? null : readCriteria(content);
    return criteria?.basis.includes('NL_ASSERTION') === true ? criteria.nlAssertions : [];
  },
  undecided: ({ tau3 }) => tau3?.unjudged ?? [],
  prompt: (messages, sentences) => nlJudgePrompt(episodeMessages(messages), sentences),
  isPrompt: isSentenceJudge,
  readReply: readNlVerdicts,
  withVerdicts,
  withProblem(info, judgeProblem) {
    const { checks = null, unjudged = [] } = info.tau3 ?? {};
    return { ...info, tau3: { checks, unjudged, judgeProblem } };
  },
};

export const tau3Grading: Grading = { grade, judging };
