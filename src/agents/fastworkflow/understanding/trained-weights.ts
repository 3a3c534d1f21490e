import airline from '#data/airline/intent-weights.json' with { type: 'json' };
import retail from '#data/retail/intent-weights.json' with { type: 'json' };
import tau3Airline from '#data/tau3/airline/intent-weights.json' with { type: 'json' };
import tau3Retail from '#data/tau3/retail/intent-weights.json' with { type: 'json' };
import telecom from '#data/tau3/telecom/intent-weights.json' with { type: 'json' };
import type { ClassifierWeights } from './classifier.ts';

/** Weights that `src/build/make-weights.ts` trains for the domains' own commands. */
export const trainedWeights: readonly ClassifierWeights[] = [retail, airline, tau3Retail, tau3Airline, telecom];
