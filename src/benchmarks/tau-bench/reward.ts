/**
 * The reward, as a pure function of the data, the task and the actions: it is repeatable and changes nothing. The
 * reference grades inside the live environment, where a second call would compare the ground truth with itself.
 */

import { foldActions } from '../environment.ts';
import type { GradeResult } from '../grade.ts';
import type { GradeDeps } from '../grading.ts';
import type { EnvData, Overlay } from '../overlay.ts';
import { PyError, keyError, lower, callLower, quote, type PyValue } from '../python/index.ts';
import { sameButForSpelling, sameState } from '../state.ts';
import { RESPOND, type Action, type Task } from '../types.ts';

/**
 * Grades an episode's actions, finished or not; the reference grades only finished episodes.
 * @param actions all actions of the agent, including `respond`, in order
 */
export function grade(data: EnvData, task: Task, actions: readonly Action[], deps: GradeDeps): GradeResult {
  const reached = foldActions(data, actions);
  const wanted = groundTruthState(data, task);
  const dataMatches = sameState(data, reached, wanted);
  const numberSpellingOnly = !dataMatches && sameButForSpelling(data, reached, wanted);
  try {
    const outputs = findOutputs(task.outputs, actions);
    const allTold = Array.from(outputs.values()).every(Boolean);
    return {
      kind: 'graded',
      grade: {
        reward: dataMatches && allTold ? 1 : 0,
        parts: [
          {
            kind: 'data',
            counts: true,
            checks: [{ wanted: outputs.size > 0 ? null : deps.hash(wanted), isMet: dataMatches }],
            numberSpellingOnly,
          },
          {
            kind: 'outputs',
            counts: true,
            checks: Array.from(outputs, ([output, isMet]) => ({ wanted: output, isMet })),
            areWords: allTold && areOutputsWords(task.outputs, actions),
          },
        ],
      },
    };
  } catch (error) {
    if (error instanceof PyError) return { kind: 'raised', message: error.message };
    throw error;
  }
}

/** Returns the reference's `reward_info.actions`: the ground truth without `respond`. */
export function reportedActions(task: Task): readonly Action[] {
  return task.actions.filter((action) => action.name !== RESPOND);
}

/** Returns the wanted data; like the reference's replay, it leaves out terminating tools. */
export function groundTruthState(data: EnvData, task: Task): Overlay {
  return foldActions(
    data,
    task.actions.filter((action) => !data.terminateTools.includes(action.name)),
  );
}

/**
 * Finds outputs as the benchmark does: the agent has said an output if the content of a `respond`, without commas,
 * contains it. Case does not matter, and an output may be part of a word: `$1010` contains `10`.
 * @returns one entry per distinct output, in order
 * @throws PyError when the search for an output reaches a content that is not text, as in the reference
 */
export function findOutputs(outputs: readonly string[], actions: readonly Action[]): ReadonlyMap<string, boolean> {
  const contents = actions.filter((action) => action.name === RESPOND).map((action) => action.kwargs.get('content'));
  const found = new Map<string, boolean>();
  for (const output of outputs) {
    const wanted = lower(output);
    const isTold = (content: PyValue | undefined) => lowerContent(content).replaceAll(',', '').includes(wanted);
    found.set(output, contents.some(isTold));
  }
  return found;
}

function lowerContent(content: PyValue | undefined): string {
  if (content === undefined) throw keyError(quote('content'));
  return callLower(content);
}

/** Checks outputs more strictly, for diagnosis: true if every output occurs as a separate word or number. */
export function areOutputsWords(outputs: readonly string[], actions: readonly Action[]): boolean {
  const contents = actions.flatMap((action) => {
    const content = action.name === RESPOND ? action.kwargs.get('content') : undefined;
    return typeof content === 'string' ? [ungroupDigits(content)] : [];
  });
  return outputs.every((output) => {
    const wanted = ungroupDigits(output);
    return contents.some((content) => containsWord(content, wanted));
  });
}

/** Returns the text in lower case, without commas that group digits; other commas still separate numbers. */
function ungroupDigits(text: string): string {
  return lower(text).replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (
      !JOINED_BEFORE.test(text.slice(Math.max(0, at - BORDER), at) + word.charAt(0)) &&
      !JOINED_AFTER.test(word.slice(-1) + text.slice(at + word.length, at + word.length + BORDER))
    )
      return true;
  }
  return false;
}

/** Farthest distance in code units that the patterns below look beyond the word: two characters. */
const BORDER = 4;
/** Matches if the first character continues a word, or a number as `2` does in `1.2`. */
const JOINED_BEFORE = /[\p{L}\p{N}_][\p{L}\p{N}_]$|\d\.\d$/u;
const JOINED_AFTER = /^[\p{L}\p{N}_][\p{L}\p{N}_]|^\d\.\d/u;
