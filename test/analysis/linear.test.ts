/** The analysis and the judge read what models wrote: in time linear in its length. */

import {
  claimPattern,
  claimingClauses,
  partClaims,
  attributeFailure,
  containsPhrase,
  findUserFaults,
} from '../../src/analysis/testing.ts';
import { readJudgeAnswer, conversationLines, judgePrompt, renderLines } from '../../src/analysis/index.ts';
import { STOP_MARKER, type Action } from '../../src/benchmarks/index.ts';
import { testLinear } from '../helpers/linear.ts';
import { action, CANCEL, failed, READ, RETURN, say, shop, taskOf } from './attribution/episodes.ts';
import { episodeOf, exchange } from './user/conversations.ts';

const task = { ...taskOf([RETURN, CANCEL], ['10', 'ada']), instruction: 'You are Ada and want to return a lamp. a 1' };

function called(name: string, kwargs: object): Action {
  return action(name, JSON.stringify(kwargs));
}

testLinear({
  'the search for claims': (text) => {
    const claims = claimPattern('cancel_pending_order');
    const claimedPart = partClaims('update_reservation_baggages');
    return [claimingClauses(text).filter((clause) => claims.test(clause)), claimedPart(text)];
  },
  'the search for a text in another': (text) => containsPhrase(`${text}!`, text.slice(text.length / 2)),
});

testLinear(
  {
    'the attribution of a failure to what was said': (text) =>
      attributeFailure(shop, failed(task, [READ, say(text), say(`I have cancelled it. ${text}`)])),
    'the attribution of a failure to a text argument': (text) =>
      attributeFailure(
        shop,
        failed(task, [called('cancel_pending_order', { order_id: '#W1', reason: text }), say('Done.')]),
      ),
    'the attribution of a failure to the names of arguments': (text) =>
      attributeFailure(
        shop,
        failed(task, [
          called('cancel_pending_order', Object.fromEntries(text.split(/[ ,:\n]/).map((key) => [key, 1]))),
          say('Done.'),
        ]),
      ),
    'the suspicion of a user': (text) =>
      findUserFaults(
        shop,
        episodeOf(task, text, [
          exchange(`Is that right? ${text}?`, `My order number is ${text}`),
          { action: called('get_user_details', { user_id: text }), observation: text },
          exchange(text, `${text}. ${STOP_MARKER}`),
        ]),
      ),
    "the reading of a judge's answer": (text) =>
      readJudgeAnswer(
        'author',
        { classification: text, description: text, quotes: [text, ...text.split(/[ ,\n]/)] },
        conversationLines([
          { role: 'user', content: text },
          { role: 'assistant', content: `${text}!` },
        ]),
      ),
    "a judge's prompt": (text) =>
      judgePrompt(
        'author',
        {
          instruction: task.instruction,
          actions: task.actions,
          outputs: task.outputs,
          lines: conversationLines([
            { role: 'assistant', content: text, tool_calls: [{ function: { name: text, arguments: text } }] },
          ]),
          calls: [called('think', { thought: text })],
          ending: renderLines([{ speaker: 'User', text }]),
        },
        1,
      ),
  },
  { longest: 2 ** 14 },
);

testLinear(
  {
    'the attribution of a failure to a list': (text) =>
      attributeFailure(
        shop,
        failed(task, [
          called('return_delivered_order_items', { ...Object.fromEntries(RETURN.kwargs), item_ids: text.split('') }),
        ]),
      ),
  },
  // Each character is an argument of its own.
  { longest: 2 ** 12 },
);
