/** The checks of an agent in order: their results, errors, and consequences for an evaluation. */

import { UnreachableError } from '../../errors/index.ts';
import type { CheckFinding, ReportFinding } from '../../io/index.ts';
import { ModelCallError } from '../../models/index.ts';
import { NO_CASE } from '../../scripted-model/index.ts';
import { A2A_EXTENSION } from '../turn-protocol/http.ts';
import { findAgent, type FoundAgent } from '../turn-protocol/ask.ts';
import { checkContext } from './context.ts';
import { CheckedEpisode, isForgotten, type Attempt, type CheckSettings, type PlayedTurn } from './episode.ts';
import {
  costOfFailure,
  countNoun,
  countIn,
  listModelCalls,
  describeAttempt,
  seenIn,
  listToolCalls,
} from './findings.ts';
import { checkLeading, playBroken, spokenIn } from './leading.ts';
import { checkParallel } from './parallel.ts';
import { toScripts, observe, turnsAbout, type ScriptedTurn } from './script.ts';
import { chooseWay, type Way } from './ways.ts';

const PLAIN = `does not announce the extension ${A2A_EXTENSION}, and is not asked again where a request was lost`;
const PLAIN_COST =
  'after a crash it is walked through the episode in a new context; a restart that no request meets is not noticed';

interface CheckTarget extends CheckSettings {
  /**
   * Time for which each of two simultaneous episodes waits for the other's first call, in milliseconds. @default 3,000
   */
  readonly meetMs?: number;
}

/**
 * Plays scripted episodes against the agent, and reports each finding at once.
 * @throws UnreachableError if nothing answers
 */
export async function checkAgent(given: CheckTarget, onFinding: (finding: CheckFinding) => void): Promise<void> {
  const reportOn =
    (check: string): ReportFinding =>
    (state, message, cost) =>
      onFinding({ check, state, message, cost });
  const { service, isPlain = false } = await checkIdentity(given, reportOn('identity'));
  const checked = { ...given, service };
  const way = chooseWay(service);
  const episode = new CheckedEpisode(checked);
  const others: CheckedEpisode[] = [episode];
  const { question, error, change, thanks, recall } = turnsAbout('#W1001');
  const scripts = toScripts({ question, error, change, thanks });
  try {
    const first = await episode.play(question, { following: [error, change, thanks] });
    if (spokenIn(first) > 0 && first.last.failure === undefined) {
      checkLeading(first, scripts, way, reportOn('turn'));
      checkCosts(first, way, reportOn('costs'));
      checkBroken(await playBroken(checked, scripts, others), question, reportOn('crash'));
      await checkParallel(checked, others, reportOn('two at once'));
      await checkAddresses(others, way, reportOn('addresses'));
      return;
    }
    if (!checkTurn(first, question, way, reportOn('turn'))) return;
    checkCosts(first, way, reportOn('costs'));
    const second = await episode.play(error);
    checkTurn(second, error, way, reportOn('tool error'));
    if (isPlain) {
      const earlier = [[question, first] as const, [error, second] as const];
      checkContext(earlier, [recall, await episode.play(recall)], reportOn('conversation'));
    }
    const broken = await episode.play(change, { isBroken: true });
    // A plain agent repeats the episode, which the check of a new process includes.
    if (isPlain) reportOn('crash')('note', PLAIN, PLAIN_COST);
    else if (checkBroken(broken, change, reportOn('crash'))) {
      const repeated = await episode.repeat();
      if (checkRepeated(broken.last, repeated, change, reportOn('lost answer'))) {
        checkMemory(await episode.play(thanks), scripts, reportOn('conversation'));
      }
    }
    if (!isPlain) {
      const forgotten = new CheckedEpisode(checked, episode);
      others.push(forgotten);
      await checkForgotten(forgotten, [question, thanks], { checked, others, way }, reportOn('new process'));
    }
    await checkParallel(checked, others, reportOn('two at once'));
    await checkAddresses(others, way, reportOn('addresses'));
  } finally {
    await Promise.all(others.map((each) => each.close()));
  }
}

async function checkIdentity({ service, timeoutMs }: CheckTarget, report: ReportFinding): Promise<FoundAgent> {
  let found;
  try {
    found = await findAgent(service, { timeoutMs });
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    const advice = error.failure.retryable ? '; start the agent, or check its URL' : '';
    throw new UnreachableError(`${error.message}${advice}.`);
  }
  const { status, name, version, protocol } = found.identity;
  const { a2aTools } = found.service;
  if (a2aTools !== undefined) {
    report(
      'right',
      `${[name, version].filter((part) => part !== null).join(' ')}, by A2A with its tools as ${a2aTools}`,
    );
  } else if (protocol !== null && protocol !== '1') {
    report('wrong', `speaks version ${protocol} of the protocol`, 'this tauflow speaks version 1');
  } else if (name === null || version === null) {
    const missing = [...(name === null ? ['name'] : []), ...(version === null ? ['version'] : [])].join(' and ');
    report(
      'note',
      status === 200 ? `GET gives no ${missing}` : `GET is answered ${status}, without name and version`,
      'a comparison of runs does not see which version of the agent ran',
    );
  } else report('right', `${name} ${version}`);
  return found;
}

/** Checks a turn. @returns true if the agent answered it */
function checkTurn(turn: PlayedTurn, script: ScriptedTurn, way: Way, report: ReportFinding): boolean {
  const { answer } = turn.last.heard ?? {};
  if (answer === undefined) {
    if (isOfScriptedModel(turn.last)) report('note', SCRIPTED, SCRIPTED_COST);
    else report('wrong', describeAttempt(turn.last), costOfFailure(turn.last));
    return false;
  }
  if (answer.kind === 'tool_calls') {
    report('wrong', 'goes on calling tools and never answers the user', 'the episode ends when its steps are used up');
    return false;
  }
  const called = listToolCalls(turn);
  const hasAsked = listModelCalls(turn).length > 0;
  const scripted = { name: script.tool, argumentsJson: JSON.stringify(script.arguments) };
  if (answer.kind === 'end' || answer.kind === 'over')
    report('note', 'ends the conversation', 'the user is not heard any more');
  else if (answer.content.trim() === '')
    report('note', 'answers with an empty text', 'it is sent to the user, who can answer nothing useful');
  else if (hasAsked && !called.some(({ text }) => text === observe(script, scripted))) {
    report(
      'wrong',
      `its model called ${scripted.name} with ${scripted.argumentsJson}, and no such call arrived ${way.toolsArrive}`,
      'what the agent does never reaches the data that is graded',
    );
  } else if (called.length === 0) {
    report(
      'note',
      `answered without a tool call: ${seenIn(turn, way)}`,
      'its model decides; the rest cannot be checked',
    );
  } else report('right', `answered: ${seenIn(turn, way)}`);
  return true;
}

/** True if the agent's own model is the scripted one, which does not know the check's conversations. */
function isOfScriptedModel({ failure }: Attempt): boolean {
  return failure?.message.includes(NO_CASE) === true;
}

const SCRIPTED =
  'its own model is the scripted model, which plays only the tasks of a run: the agent cannot be checked with it';
const SCRIPTED_COST = 'nothing is known to be wrong; use model_url or anthropic_url as its model to check the agent';

function checkCosts(turn: PlayedTurn, { modelAt }: Way, report: ReportFinding): void {
  const reported = turn.attempts.some(({ heard }) => heard?.usage !== undefined);
  const unread = turn.attempts.find(({ unreadUsage }) => unreadUsage !== undefined)?.unreadUsage;
  if (unread !== undefined) {
    report('note', `reports usage that cannot be read (${unread})`, 'the costs of what it reports stay unknown');
  } else if (listModelCalls(turn).length > 0) {
    report('right', `calls its model at ${modelAt}: recorded, priced, and not paid twice`);
  } else if (reported) {
    report('note', 'calls its model elsewhere, and reports usage', 'after a crash, its model calls are paid again');
  } else {
    report(
      'note',
      `calls no model at ${modelAt}, and reports no usage`,
      'the costs of a run are unknown, and after a crash model calls are paid again',
    );
  }
}

/** Checks the attempt after an interrupted one. @returns false if the agent has forgotten the episode */
function checkBroken(turn: PlayedTurn, script: ScriptedTurn, report: ReportFinding): boolean {
  const [before] = turn.attempts;
  const again = turn.attempts.find((_, at) => at === 1);
  if (before === undefined || again === undefined) throw new Error('no attempt was broken off');
  if (isForgotten(again)) {
    report('right', `says unknown_episode at attempt 2 of a request: ${WALKED}`);
    return false;
  }
  if (again.failure !== undefined) {
    report('wrong', `attempt 2 of a request fails: ${describeAttempt(again)}`, 'each crash fails its episode');
  } else reportRepetition(before, again, script, report);
  return true;
}

/** Checks the repetition of an answered request. @returns false if the agent has forgotten the episode */
function checkRepeated(before: Attempt, again: Attempt, script: ScriptedTurn, report: ReportFinding): boolean {
  if (isForgotten(again)) {
    report('right', `says unknown_episode when a request that it has answered is repeated: ${WALKED}`);
    return false;
  }
  if (again.failure !== undefined) {
    report('wrong', `a request that it has answered fails when it is repeated: ${describeAttempt(again)}`, LOST_COST);
  } else if (again.calls.length === 0 && before.calls.length > 0) report('right', 'gives the answer that it has kept');
  else reportRepetition(before, again, script, report);
  return true;
}

const WALKED = 'it is walked through the episode again, at no call and no step';

const LOST_COST = 'each answer that is lost on its way fails its episode';

/** Compares two attempts at a request; equal calls in equal order are answered from the history and cost nothing. */
function reportRepetition(before: Attempt, again: Attempt, { user }: ScriptedTurn, report: ReportFinding): void {
  const [models, modelsAgain] = [before, again].map(({ calls }) => calls.filter(({ kind }) => kind === 'model'));
  const [once, twice] = [models, modelsAgain].map((calls) => countIn(calls?.[0]?.text, user));
  if (once !== undefined && twice !== undefined && once > 0 && twice > once) {
    report(
      'wrong',
      "keeps the user's message again at each attempt: its model gets it twice",
      'after a crash the agent goes on from a wrong conversation, and its completed model calls are paid again',
    );
    return;
  }
  const differs = before.calls.findIndex(({ kind, identity }, at) => {
    const other = again.calls[at];
    return other?.kind !== kind || other.identity !== identity;
  });
  if (differs === -1) report('right', `attempt 2 makes the same ${countNoun(before.calls.length, 'call')}`);
  else {
    const { kind } = before.calls[differs] ?? { kind: 'model' };
    report(
      'note',
      `attempt 2 differs from the first at call ${differs + 1}, a ${kind} call`,
      'after a crash, what follows that call is done and paid again',
    );
  }
}

/** Checks that the model gets each message of the user once. */
function checkMemory(turn: PlayedTurn, scripts: readonly ScriptedTurn[], report: ReportFinding): void {
  if (turn.last.heard === undefined) {
    report('wrong', `the turn after a crash fails: ${describeAttempt(turn.last)}`, 'each crash fails its episode');
    return;
  }
  const [first] = listModelCalls(turn);
  if (first === undefined) {
    report('note', 'answers turn 4; its model calls are not seen here', 'nothing, if it keeps the conversation');
    return;
  }
  const counts = scripts.map(({ user }) => countIn(first.text, user));
  const lost = counts.indexOf(0);
  const twice = counts.findIndex((times) => times > 1);
  if (lost !== -1) {
    report('wrong', `its model does not get the user's message of turn ${lost + 1}`, 'the agent forgets what was said');
  } else if (twice !== -1) {
    report(
      'wrong',
      `its model gets the user's message of turn ${twice + 1} ${counts[twice] ?? 0} times, after a crash in turn 3`,
      'after a crash the agent goes on from a wrong conversation',
    );
  } else report('right', "its model gets each of the user's messages once, also after a crash");
}

/** Checks that a restarted agent does not know open episodes. */
async function checkForgotten(
  episode: CheckedEpisode,
  [earlier, next]: readonly [ScriptedTurn, ScriptedTurn],
  { checked, others, way }: { readonly checked: CheckSettings; readonly others: CheckedEpisode[]; readonly way: Way },
  report: ReportFinding,
): Promise<void> {
  const turn = await episode.play(next);
  if (turn.isForgotten) {
    const walked = new CheckedEpisode(checked);
    others.push(walked);
    const again = await walked.play(earlier);
    if (again.last.heard === undefined) {
      report('wrong', `says unknown_episode, but fails at request 1 too: ${describeAttempt(again.last)}`, RESTART_COST);
    } else {
      report('right', 'says unknown_episode for an episode that it does not know, and is walked through it again');
    }
    return;
  }
  if (turn.last.heard === undefined) {
    report('wrong', `an episode that it does not know fails: ${describeAttempt(turn.last)}`, RESTART_COST);
    return;
  }
  const [first] = listModelCalls(turn);
  if (first === undefined) {
    report(
      'note',
      'answers in an episode that it does not know',
      way.hasConversation ? `unless it reads "conversation": ${RESTART_COST}` : RESTART_COST,
    );
  } else if (countIn(first.text, earlier.user) === 0) {
    report(
      'wrong',
      `answers in an episode that it does not know, without what was said before; ${way.memory}`,
      'after a restart the agent goes on without the conversation, and its rewards are wrong',
    );
  } else report('right', 'goes on from "conversation" in an episode that it does not know');
}

const RESTART_COST = 'each restart of the agent fails its open episodes';

async function checkAddresses(
  episodes: readonly CheckedEpisode[],
  { addresses, modelAt }: Way,
  report: ReportFinding,
): Promise<void> {
  const late = episodes.reduce((sum, { lateCalls }) => sum + lateCalls, 0);
  if (late > 0) {
    report(
      'wrong',
      `makes ${countNoun(late, 'call')} at addresses of a request that it has answered`,
      `such calls are refused; ${addresses}`,
    );
  }
  const passed = (await Promise.all(episodes.map((each) => each.close()))).reduce((sum, made) => sum + made, 0);
  if (passed === 0) return;
  report(
    'note',
    `makes ${countNoun(passed, 'request')} at ${modelAt} that are no model calls, such as embeddings`,
    'the provider gets them; they are counted, not recorded or priced, and the scripted model refuses them',
  );
}
