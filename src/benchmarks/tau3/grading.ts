/** Conversion of τ³-bench's grades to their recorded form, and the judging of sentences. */

import type { Grading, SentenceJudging } from '../grading.ts';
import { readCriteria } from './criteria.ts';
import { episodeMessages } from './episode.ts';
import { fromTau3Info, toTau3Info } from './grade-parts.ts';
import { isSentenceJudge, nlJudgePrompt, readNlVerdicts } from './nl-assertions.ts';

const judging: SentenceJudging = {
  listSentences({ content }) {
    const criteria = content === undefined ? null : readCriteria(content);
    return criteria?.basis.includes('NL_ASSERTION') === true ? criteria.nlAssertions : [];
  },
  prompt: (messages, sentences) => nlJudgePrompt(episodeMessages(messages), sentences),
  isPrompt: isSentenceJudge,
  readReply: readNlVerdicts,
};

export const tau3Grading: Grading = {
  toInfo: toTau3Info,
  fromInfo: fromTau3Info,
  judging,
};
