/** NL_ASSERTION: a judge model decides on a task's sentences, with the reference's prompt. */

import { isDict, isList, parseObject, repr, strip, type PyValue } from '../python/index.ts';
import type { SentenceVerdict } from '../types.ts';
import type { EpisodeMessage } from './episode.ts';

const SYSTEM = `
        TASK
        - You will be given a list of expected outcomes and a conversation that was collected during a test case run.
        - The conversation is between an agent and a customer.
        - Your job is to evaluate whether the agent satisfies each of the expected outcomes.
        - Grade each expected outcome individually.

        FORMAT
        - Your response should be a JSON object with the following fields:
        - \`reasoning\`: a short explanation for your classification
        - \`metExpectation\`: \`true\` if the agent satisfies the expected outcomes, \`false\` otherwise
        - \`expectedOutcome\`: repeat the expectation from the input that you are grading
        
        Example response structure:
        {
            "results": [
                {
                    "expectedOutcome": "<one of the expected outcomes from the input>",
                    "reasoning": "<reasoning trace>",
                    "metExpectation": <false or true>,
                }
            ]
        }
        `;

/** Longest reason that is stored, in characters. */
const MAX_REASON = 1000;
/** Longest part of a reply that is read, in characters. */
const MAX_REPLY = 200_000;

/** Returns the judge's prompt about an episode. @param assertions the task's `nl_assertions` */
export function nlJudgePrompt(messages: readonly EpisodeMessage[], assertions: readonly string[]) {
  const lines = messages.map(({ role, text }) => `${role}: ${text ?? 'None'}`).join('\n');
  const user =
    `\n        conversation:\n        ${lines}\n        \n` +
    `        expectedOutcomes:\n        ${repr(assertions)}\n        `;
  return { system: SYSTEM, user };
}

/** True for a system prompt of this judge. */
export function isSentenceJudge(system: string): boolean {
  return system.includes('list of expected outcomes and a conversation that was collected during a test case run');
}

/**
 * Reads the judge's reply: a decision on each sentence, found by its words, otherwise by its position.
 * @returns null for an unreadable reply, or for another number of decisions
 */
export function readNlVerdicts(reply: string | null, assertions: readonly string[]): readonly SentenceVerdict[] | null {
  const results = readResults(reply ?? '');
  if (results === null || results.length !== assertions.length) return null;
  const byWords = new Map(results.map((result) => [result.outcome, result]));
  const isRepeated = byWords.size === results.length && assertions.every((assertion) => byWords.has(strip(assertion)));
  const verdicts = assertions.map((assertion, at) => {
    const result = isRepeated ? byWords.get(strip(assertion)) : results[at];
    return result && { assertion, met: result.met, reason: result.reason.slice(0, MAX_REASON) };
  });
  return verdicts.filter((verdict) => verdict !== undefined);
}

interface Result {
  readonly outcome: string;
  readonly met: boolean;
  readonly reason: string;
}

/** Finds the JSON object, which may be in a block of Markdown. */
function readResults(reply: string): readonly Result[] | null {
  if (reply.length > MAX_REPLY) return null;
  const object = parseObject(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));
  const list = object?.get('results') ?? null;
  if (!isList(list)) return null;
  const results = list.map(readResult);
  return results.every((result) => result !== null) ? results : null;
}

function readResult(value: PyValue): Result | null {
  if (!isDict(value)) return null;
  const [outcome, met, reason] = ['expectedOutcome', 'metExpectation', 'reasoning'].map((key) => value.get(key));
  if (typeof outcome !== 'string' || typeof met !== 'boolean' || typeof reason !== 'string') return null;
  return { outcome: strip(outcome), met, reason };
}
