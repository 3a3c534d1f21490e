/**
 * Finds the step at which a missing write was due. It is the reply that refused or claimed the write. If there is none,
 * it is the first step with another action after the calls that precede the write in the ground truth.
 */

import { domains, type EnvData } from '../../benchmarks/index.ts';
import { readReplyText, type AnalyzedStep } from '../types.ts';
import { shortenText, type Call, type Write } from './calls.ts';
import {
  findClaim,
  findRecords,
  hasArgumentIn,
  findToolObject,
  parseVerb,
  splitSentences,
  verbPattern,
} from './claims.ts';
import { toActionKey, recordKeys } from './repair.ts';

export interface DueStep {
  /** Number of the step, from 1. */
  readonly step: number;
  /** Reason, a phrase after "X was not carried out". */
  readonly reason: string;
}

/** Matches phrases of a refusal. */
const REFUSES =
  /\b(?:cannot|can not|can['’]t|unable to|not able to|won['’]t be able to|not (?:possible|allowed|permitted|eligible)|ineligible|isn['’]t (?:possible|allowed|eligible)|(?:doesn['’]t|does not|don['’]t|do not) (?:allow|permit))\b/i;
/** Matches words of a temporary refusal. */
const FOR_NOW = /\b(?:until|unless|without|if|once|before)\b/i;
/** Matches questions that close a request. */
const CLOSES =
  /\b(?:anything|something) else\b|\belse (?:I|we) can\b|\b(?:further|other|more) (?:\w+ )?(?:assistance|help|questions)\b/i;

/** @param isStopped true if the user ended the conversation; otherwise the write was due at the end */
export function findDue(
  data: EnvData,
  steps: readonly AnalyzedStep[],
  calls: readonly Call[],
  truth: readonly Call[],
  isStopped: boolean,
): (write: Write) => DueStep | undefined {
  return (write) => {
    const refusal = findRefusal(data, steps, write);
    const claim = findClaim(data, steps, calls, write.action);
    if (claim !== undefined && claim.step < (refusal?.step ?? Infinity)) {
      return { step: claim.step, reason: `step ${String(claim.step)} only says that it was` };
    }
    return refusal ?? (isStopped ? findTurning(data, steps, calls, write, truth) : undefined);
  };
}

/** Finds the first reply that refuses the write; a sentence that names records refuses only theirs. */
function findRefusal(data: EnvData, steps: readonly AnalyzedStep[], { action }: Write): DueStep | undefined {
  const keys = Array.from(recordKeys(data, action).values());
  const isAbout = findAbout(data, action.name);
  for (const [at, step] of steps.entries()) {
    const sentence = splitSentences(readReplyText(step)).find((text) => {
      if (text.endsWith('?') || FOR_NOW.test(text) || !REFUSES.test(text) || !isAbout(text)) return false;
      const named = findRecords(data, text);
      return named.length === 0 || named.some((record) => keys.includes(record));
    });
    if (sentence === undefined) continue;
    return { step: at + 1, reason: `step ${String(at + 1)} refused it: “${shortenText(sentence)}”` };
  }
  return undefined;
}

/**
 * Finds the step after the last call that precedes the write in the ground truth, or that is about the write's record;
 * replies with a question are skipped.
 */
function findTurning(
  data: EnvData,
  steps: readonly AnalyzedStep[],
  calls: readonly Call[],
  { action, step }: Write,
  truth: readonly Call[],
): DueStep | undefined {
  const before = new Set(truth.filter((call) => call.step < step).map((call) => toActionKey(call.action)));
  const keys = Array.from(recordKeys(data, action).values());
  const last = calls.findLast((call) => before.has(toActionKey(call.action)) || hasArgumentIn(call, keys));
  if (last === undefined) return undefined;
  const at = steps.findIndex((other, index) => index >= last.step && !asks(other));
  if (at < 0) return undefined;
  const reason = `step ${String(at + 1)} went another way after ${last.action.name} of step ${String(last.step)}`;
  return { step: at + 1, reason };
}

function asks(step: AnalyzedStep): boolean {
  const reply = readReplyText(step);
  return reply.includes('?') && !CLOSES.test(reply);
}

/** Returns a test of whether a sentence is about the tool and not about another tool with its verb. */
function findAbout(data: EnvData, tool: string): (sentence: string) => boolean {
  const verb = parseVerb(tool);
  const objects = Array.from(domains.get(data.domain)?.tools.keys() ?? []).flatMap((name) =>
    parseVerb(name) === verb ? [findToolObject(name)] : [],
  );
  const verbs = verbPattern(tool);
  return (sentence) => {
    const named = objects.filter((object) => sentence.toLowerCase().includes(object));
    return verbs.test(sentence) && (named.length === 0 || named.includes(findToolObject(tool)));
  };
}
