/** Why customers cancel, in their words. */

import type { Random } from '../../random.ts';
import type { Cause } from '../rules.ts';

const WORDS: Readonly<Record<Exclude<Cause, 'airline'>, readonly string[]>> = {
  plans: [
    'your plans have changed',
    'you would rather stay at home',
    'the meeting that you wanted to go to has been put off',
  ],
  health: ['you have fallen ill', 'you have broken your ankle and your doctor has told you not to fly'],
  weather: [
    'a heavy storm is forecast for where you are going',
    'the weather reports warn of floods at your destination',
  ],
};

/** A clause that can follow "because". */
export function nameCause(random: Random, cause: Exclude<Cause, 'airline'>): string {
  return random.pick(WORDS[cause]);
}
