/** The checks of an agent that leads the whole conversation in its first request, by a tool that speaks to the user. */

import { CheckedEpisode, type CheckSettings, type PlayedTurn } from './episode.ts';
import { countNoun, listModelCalls, seenIn, listToolCalls } from './findings.ts';
import type { ReportFinding } from '../../io/index.ts';
import { observe, type ScriptedTurn } from './script.ts';
import type { Way } from './ways.ts';

/** Number of messages that the agent has sent to the user by its tool. */
export function spokenIn({ attempts }: PlayedTurn): number {
  return Math.max(0, ...attempts.map(({ spoken = 0 }) => spoken));
}

/** @param scripts all turns of the conversation */
export function checkLeading(
  turn: PlayedTurn,
  scripts: readonly ScriptedTurn[],
  way: Way,
  report: ReportFinding,
): void {
  const said = spokenIn(turn);
  const called = listToolCalls(turn);
  const missed = scripts.slice(0, said).find((script) => {
    const scripted = { name: script.tool, argumentsJson: JSON.stringify(script.arguments) };
    return !called.some(({ text }) => text === observe(script, scripted));
  });
  if (missed !== undefined && listModelCalls(turn).length > 0) {
    report(
      'wrong',
      `its model called ${missed.tool} with ${JSON.stringify(missed.arguments)}, and no such call arrived ${way.toolsArrive}`,
      'what the agent does never reaches the data that is graded',
    );
  } else if (said < scripts.length) {
    report(
      'note',
      `sends ${countNoun(said, 'message')} to the user by its tool, then ends the conversation: ${seenIn(turn, way)}`,
      'the user is not heard any more',
    );
  } else report('right', `leads the whole conversation in one request: ${seenIn(turn, way)}`);
}

/** Plays the conversation again in another episode, with the first attempt interrupted. */
export async function playBroken(
  checked: CheckSettings,
  [first, ...following]: readonly [ScriptedTurn, ...ScriptedTurn[]],
  others: CheckedEpisode[],
): Promise<PlayedTurn> {
  const episode = new CheckedEpisode(checked);
  others.push(episode);
  return await episode.play(first, { isBroken: true, following });
}
