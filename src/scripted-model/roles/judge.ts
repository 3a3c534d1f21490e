/**
 * The judge of failed episodes. It knows the scripted agent's mistake, so its verdicts are true and can measure other
 * analyses.
 */

import {
  JUDGE_MARKER,
  QUESTIONS,
  letterAt,
  type JudgeChoice,
  type FaultType,
  type QuestionName,
} from '../../analysis/index.ts';
import { findSentenceJudging, type Task } from '../../benchmarks/index.ts';
import { findCaseCode, formatCaseCode, type CaseCode } from '../case-code.ts';
import { firstText, type Conversation } from '../conversation.ts';
import type { ScriptedReply } from '../reply.ts';
import type { Flaw, FlawKind } from '../flaws.ts';

const FAULT_TYPE_OF: Readonly<Record<FlawKind, FaultType>> = {
  skipped_write: 'goal_partially_completed',
  wrong_argument: 'used_wrong_tool_argument',
  wrong_tool: 'called_wrong_tool',
  gave_up: 'goal_partially_completed',
  wrong_answer: 'goal_partially_completed',
  // An unreadable call has neither a wrong tool nor a wrong argument.
  malformed_arguments: 'other',
  unasked_write: 'took_unintended_action',
};

/** @returns undefined for a request that is not a judge's */
export function playJudge(
  conversation: Conversation,
  findFlaw: (code: CaseCode) => Flaw | null,
): ScriptedReply | undefined {
  if (!conversation.system.startsWith(JUDGE_MARKER)) return undefined;
  const prompt = firstText(conversation, 'user') ?? '';
  const code = findCaseCode(prompt);
  const flaw = code === undefined ? null : findFlaw(code);
  const question = (Object.keys(QUESTIONS) as QuestionName[]).find((name) => prompt.includes(QUESTIONS[name].text));
  const answer = {
    classification: findLetter(question ?? 'author', choiceFor(question, flaw)),
    description: flaw === null ? 'The agent did all that its script has.' : `The agent ${flaw.detail}.`,
    quotes: quotesFor(prompt, flaw),
  };
  return {
    role: 'judge',
    episode: code === undefined ? null : formatCaseCode(code),
    position: 0,
    content: JSON.stringify(answer),
  };
}

/**
 * Judges sentences in tasks: all are met if the agent made no mistake, otherwise none.
 * @param findTask finds the played task and its mistake
 * @returns undefined for another request
 */
export function playSentenceJudge(
  conversation: Conversation,
  findTask: (code: CaseCode) => { readonly task: Task; readonly flaw: Flaw | null },
): ScriptedReply | undefined {
  const judging = findSentenceJudging(conversation.system);
  if (judging === undefined) return undefined;
  const code = findCaseCode(firstText(conversation, 'user') ?? '');
  const played = code === undefined ? undefined : findTask(code);
  const sentences = played === undefined ? [] : (played.task.sentences ?? judging.listSentences(played.task));
  const met = played?.flaw === null;
  const reasoning = met
    ? 'The agent did all that its script has.'
    : `The agent ${played?.flaw?.detail ?? 'is unknown'}.`;
  const results = sentences.map((expectedOutcome) => ({ expectedOutcome, reasoning, metExpectation: met }));
  return {
    role: 'judge',
    episode: code === undefined ? null : formatCaseCode(code),
    position: 0,
    content: JSON.stringify({ results }),
  };
}

function choiceFor(question: QuestionName | undefined, flaw: Flaw | null): JudgeChoice {
  if (question === 'fault') return flaw === null ? 'other' : FAULT_TYPE_OF[flaw.kind];
  return flaw === null ? 'environment' : 'agent';
}

function findLetter(question: QuestionName, choice: JudgeChoice): string {
  return letterAt(QUESTIONS[question].options.findIndex((option) => option.choice === choice));
}

/** Returns the line of the agent's move that differs from its script. */
function quotesFor(prompt: string, flaw: Flaw | null): string[] {
  if (flaw === null) return [];
  const moves = [...prompt.matchAll(/^\[\d+\] Agent(?: calls)?: (.+)$/gm)].map(([, text = '']) => text);
  const quote = moves[Math.min(flaw.at, moves.length - 1)];
  return quote === undefined ? [] : [quote];
}
