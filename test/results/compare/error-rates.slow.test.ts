import { testErrorRates } from './error-rates.ts';

// P(X > 7) = 0.010 for 60 cases of 5 % each; `error-rates.scheduled.test.ts` draws more.
testErrorRates(60, 7);
