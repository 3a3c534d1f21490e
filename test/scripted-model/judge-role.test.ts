import { describe, expect, it } from 'vitest';

import { ANSWER_FIELDS, readAnswer } from '../../src/analysis/judge/answer.ts';
import { conversationLines, judgePrompt, type Line, type QuestionName } from '../../src/analysis/judge/prompt.ts';
import { openingLine } from '../../src/scripted-model/phrases.ts';
import { packKeyOf } from '../../src/packs/types.ts';
import { readReplyFields } from '../../src/prompts/reply-fields.ts';
import { CANCEL, LOOK_UP, newPlayer, play, RETURN, task, tinyPack } from './helpers.ts';

const pack = tinyPack([task('Cancel and return.', [LOOK_UP, CANCEL, RETURN]), task('Tell me.', [LOOK_UP], ['42'])]);
const player = newPlayer(pack);

/** What the judge says of an episode that the scripted agent has played at a rate of 0. */
function ask(question: QuestionName, taskId: number, seed: number, model = 'oracle:0') {
  const code = { packKey: packKeyOf(pack), split: 'test', taskId, seed };
  const lines: Line[] = [
    ...conversationLines([{ role: 'user', content: openingLine(code) }]),
    ...player.script(code, 0).moves.map((move) => ({
      speaker: 'Agent',
      text: move.kind === 'say' ? move.text : move.action.name,
    })),
  ];
  const { instruction, actions, outputs } = pack.splits['test']?.[taskId] ?? task('', []);
  const { system, user } = judgePrompt(question, { instruction, actions, outputs, lines, calls: [], ending: '' }, 1);
  const reply = play(player, {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  });
  const answer = readAnswer(question, readReplyFields(reply.content, ANSWER_FIELDS), lines);
  return { reply, answer, flaw: player.flawOf(code, 0) };
}

describe('the scripted judge', () => {
  it('knows the mistake that was made, and quotes where', () => {
    const types = new Map<string, string>();
    for (let seed = 0; seed < 40; seed++) {
      for (const taskId of [0, 1]) {
        const { answer, flaw, reply } = ask('fault', taskId, seed);
        if (flaw === null || answer === null) throw new Error('every episode errs at a rate of 0');
        expect(reply).toMatchObject({ role: 'judge', episode: expect.stringContaining(`s${seed}]`) as string });
        expect(answer.description).toContain(flaw.detail);
        expect(answer).toMatchObject({ unfoundQuotes: 0, quotes: [expect.any(String)] });
        types.set(flaw.kind, answer.choice);
        expect(ask('author', taskId, seed).answer?.choice).toBe('agent');
      }
    }
    expect(Object.fromEntries(types)).toMatchObject({
      skipped_write: 'goal_partially_completed',
      wrong_argument: 'used_wrong_tool_argument',
      wrong_tool: 'called_wrong_tool',
      malformed_arguments: 'other',
    });
  });

  it('of a model that never errs blames nobody in the conversation', () => {
    expect(ask('author', 0, 0, 'oracle').answer).toMatchObject({ choice: 'environment', quotes: [] });
    expect(ask('fault', 0, 0, 'oracle').answer?.choice).toBe('other');
  });
});
