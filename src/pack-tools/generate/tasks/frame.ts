/** Puts plots into their frame: who the customer is, how the customer talks, how the conversation ends. */

import type { Claim, Goal } from '../proof/claim.ts';
import { MANNERS } from '../names.ts';
import type { Random } from '../random.ts';
import type { Scene } from './compose.ts';
import type { Introduction } from './dealer.ts';
import type { Evidence } from './ground.ts';
import type { Told } from './told.ts';

/**
 * @param scenes share one script
 * @param goal what they want, in one text
 */
export function frame(
  random: Random,
  { text, identity }: Introduction,
  scenes: readonly Scene<unknown>[],
  goal: Told,
): Claim {
  const script = scenes[0]?.plot.script;
  const manner = random.pick(MANNERS);
  const writes = (script?.evidence.size ?? 0) > 0;
  return {
    instruction: `${text} ${manner} ${goal.text} ${closing(random, writes)}`,
    identity,
    actions: script?.actions ?? [],
    goals: goalsOf(scenes),
  };
}

function closing(random: Random, writes: boolean): string {
  if (!writes) return 'You ask for nothing beyond this.';
  return random.pick([
    'When the agent repeats a change that you want and asks for your consent, you give it. You want nothing beyond this.',
    'You say yes to whatever the agent proposes that is exactly what you asked for, and to nothing else.',
    'You agree as soon as the agent has summed up what you want. There is nothing else on your mind.',
  ]);
}

/** Each plot with the writes that were scripted for it: those between the one before and the next. */
function goalsOf(scenes: readonly Scene<unknown>[]): Goal[] {
  let from = 0;
  return scenes.map(({ plot, until }) => {
    const { script, goal, outputs = [], premises = [], ending = 'served' } = plot;
    const start = from;
    const evidence = Array.from(script.evidence).filter(([at]) => at >= start && at < until);
    from = until;
    return {
      grounds: goal.grounds,
      premises,
      outputs: outputs.map((output) => (typeof output === 'string' ? { text: output } : output)),
      ending,
      evidence: new Map<number, Readonly<Record<string, Evidence>>>(evidence),
    };
  });
}
