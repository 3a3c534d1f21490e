/**
 * Finds the step at which a write that was never made was due: the reply that refused it or claimed it, or else the first
 * step that went another way after the agent had what the ground truth has before it.
 */

import { domains, type EnvData } from '../../benchmarks/index.ts';
import { hashableRepr } from '../../benchmarks/python/index.ts';
import type { AnalyzedStep } from '../types.ts';
import { short, type Call, type Write } from './calls.ts';
import {
  contentOf,
  findClaim,
  findRecords,
  hasKey,
  parseObject,
  parseVerb,
  splitSentences,
  verbPattern,
} from './claims.ts';
import { recordKeys } from './repair.ts';

export interface Due {
  /** 1-based. */
  readonly step: number;
  /** Rest of the sentence "X was not carried out". */
  readonly reason: string;
}

/** Denials of being able to do something, as opposed to questions and conditions. */
const REFUSES =
  /\b(?:cannot|can not|can['’]t|unable to|not able to|won['’]t be able to|not (?:possible|allowed|permitted|eligible)|ineligible|isn['’]t (?:possible|allowed|eligible)|(?:doesn['’]t|does not|don['’]t|do not) (?:allow|permit))\b/i;
/** Words of a refusal that holds only for now. */
const FOR_NOW = /\b(?:until|unless|without|if|once|before)\b/i;
/** Questions that end a request instead of preparing the write. */
const CLOSES =
  /\b(?:anything|something) else\b|\belse (?:I|we) can\b|\b(?:further|other|more) (?:\w+ )?(?:assistance|help|questions)\b/i;

/**
 * Finds the place at which a write was due.
 * @param truth calls of the ground truth
 * @param isStopped true if the user ended the conversation; else it could still have been made until the end
 */
export function findDue(
  data: EnvData,
  steps: readonly AnalyzedStep[],
  calls: readonly Call[],
  truth: readonly Call[],
  isStopped: boolean,
): (write: Write) => Due | undefined {
  return (write) => {
    const refusal = findRefusal(data, steps, write);
    const claim = findClaim(data, steps, calls, write.action);
    if (claim !== undefined && claim.step < (refusal?.step ?? Infinity)) {
      return { step: claim.step, reason: `step ${String(claim.step)} only says that it was` };
    }
    return refusal ?? (isStopped ? findTurning(data, steps, calls, write, truth) : undefined);
  };
}

/** The first reply that says that the write cannot be done; a sentence that names records counts for those only. */
function findRefusal(data: EnvData, steps: readonly AnalyzedStep[], { action }: Write): Due | undefined {
  const keys = Array.from(recordKeys(data, action).values());
  const isAbout = findAbout(data, action.name);
  for (const [at, step] of steps.entries()) {
    const sentence = splitSentences(contentOf(step)).find((text) => {
      if (text.endsWith('?') || FOR_NOW.test(text) || !REFUSES.test(text) || !isAbout(text)) return false;
      const named = findRecords(data, text);
      return named.length === 0 || named.some((record) => keys.includes(record));
    });
    if (sentence === undefined) continue;
    return { step: at + 1, reason: `step ${String(at + 1)} refused it: “${short(sentence)}”` };
  }
  return undefined;
}

/**
 * The step after the last call that the write needed, one that the ground truth has before it or one of its record; replies
 * that ask the user for what is needed are passed over. Undefined where the agent made no such call.
 */
function findTurning(
  data: EnvData,
  steps: readonly AnalyzedStep[],
  calls: readonly Call[],
  { action, step }: Write,
  truth: readonly Call[],
): Due | undefined {
  const format = ({ action: { name, kwargs } }: Call) => `${name} ${hashableRepr(kwargs)}`;
  const before = new Set(truth.filter((call) => call.step < step).map(format));
  const keys = Array.from(recordKeys(data, action).values());
  const last = calls.findLast((call) => before.has(format(call)) || hasKey(call, keys));
  if (last === undefined) return undefined;
  const at = steps.findIndex((other, index) => index >= last.step && !asks(other));
  if (at < 0) return undefined;
  const reason = `step ${String(at + 1)} went another way after ${last.action.name} of step ${String(last.step)}`;
  return { step: at + 1, reason };
}

function asks(step: AnalyzedStep): boolean {
  const content = contentOf(step);
  return content.includes('?') && !CLOSES.test(content);
}

/** Finds whether a sentence is about what the tool does, and not about what another tool of its verb does. */
function findAbout(data: EnvData, tool: string): (sentence: string) => boolean {
  const verb = parseVerb(tool);
  const objects = Array.from(domains.get(data.domain)?.tools.keys() ?? []).flatMap((name) =>
    parseVerb(name) === verb ? [parseObject(name)] : [],
  );
  const verbs = verbPattern(tool);
  return (sentence) => {
    const named = objects.filter((object) => sentence.toLowerCase().includes(object));
    return verbs.test(sentence) && (named.length === 0 || named.includes(parseObject(tool)));
  };
}
