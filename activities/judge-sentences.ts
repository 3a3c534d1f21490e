/**
 * The activity that asks a judge model about the sentences of a τ³-bench task (NL_ASSERTION), with the benchmark's own
 * prompt. Its result is in the episode's history: what has been judged is not judged again when a run is resumed.
 */

import { episodeMessages, nlJudgePrompt, readCriteria, readNlVerdicts } from '../src/benchmark/tau3/index.ts';
import type { TranscriptStore } from '../src/models/index.ts';
import { episodeName, type JudgeSentencesInput, type JudgeSentencesOutput } from '../src/wire/index.ts';
import { askJudge, describeUnread, type JudgeDeps } from './judge-call.ts';
import { loadPack, resolveTranscript, taskOf, type PackLookup } from './lookups.ts';
import { callWithRetries } from './model-calls.ts';

export type JudgeSentencesDeps = JudgeDeps & {
  readonly findPack: PackLookup;
  readonly transcripts: TranscriptStore;
};

export function createJudgeSentencesActivity(deps: JudgeSentencesDeps) {
  return async function judgeSentences(input: JudgeSentencesInput): Promise<JudgeSentencesOutput> {
    const { pack: ref, split, episode, trajectory, judge, attempt } = input;
    const pack = await loadPack(deps.findPack, ref);
    const task = taskOf(pack, split, episode.taskId).tau3;
    const sentences = (task === undefined ? null : readCriteria(task))?.nlAssertions ?? [];
    const prompt = nlJudgePrompt(episodeMessages(resolveTranscript(deps.transcripts, trajectory)), sentences);
    const name = `judge/${episodeName(episode)}/sentences/${String(attempt)}`;
    const { maxRetries, model } = judge;
    const bounds = { maxRetries, provider: model.provider, limits: deps.limits, random: deps.random };
    return callWithRetries(bounds, async (call) => {
      const { message, usage, ...asked } = await askJudge(deps, judge, call, { prompt, name });
      const { costUsd, servedModel, finishReason, latencyMs } = asked;
      const verdicts = readNlVerdicts(message.content, sentences);
      const unread = verdicts === null ? { unread: describeUnread(message.content ?? '', finishReason) } : {};
      return { verdicts, ...unread, calls: 1, ...usage, costUsd, servedModel, finishReason, latencyMs };
    });
  };
}
