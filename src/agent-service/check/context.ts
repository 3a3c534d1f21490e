/** The check of an A2A agent's memory: it has to find a request's conversation by its context. */

import type { PlayedTurn } from './episode.ts';
import { countIn, listModelCalls, describeAttempt } from './findings.ts';
import type { ReportFinding } from '../../io/index.ts';
import type { ScriptedTurn } from './script.ts';

const FORGETS = 'the agent forgets what was said, and its rewards are wrong; keep conversations by contextId';

/** @param earlier earlier turns with their scripts @param recall a turn in which the user asks about the first one */
export function checkContext(
  earlier: readonly (readonly [ScriptedTurn, PlayedTurn])[],
  [script, recall]: readonly [ScriptedTurn, PlayedTurn],
  report: ReportFinding,
): void {
  const { heard } = recall.last;
  if (heard === undefined) {
    report('wrong', `a later turn fails: ${describeAttempt(recall.last)}`, 'its episode fails');
    return;
  }
  const [model] = listModelCalls(recall);
  const lost = earlier.findIndex(([{ user }]) => countIn(model?.text, user) === 0);
  const contexts = new Set(earlier.map(([, { last }]) => parseContext(last.heard?.peer)));
  if (model !== undefined && lost === -1) {
    report('right', "its model gets the user's earlier messages");
  } else if (model !== undefined) {
    report('wrong', `its model does not get the user's message of turn ${lost + 1}`, FORGETS);
  } else if (contexts.size > 1) {
    report('wrong', 'names another context in each answer, and so does not know the conversation', FORGETS);
  } else if (heard.answer.kind === 'message' && heard.answer.content.includes(script.order.order_id)) {
    report('right', 'knows in a later turn what the user said in the first');
  } else {
    report(
      'note',
      `does not name ${script.order.order_id} when the user asks which order turn 1 was about`,
      `unless it knows it all the same, ${FORGETS}`,
    );
  }
}

function parseContext(peer: string | undefined): string {
  const { context = '' } = peer === undefined ? {} : (JSON.parse(peer) as { readonly context?: string });
  return context;
}
