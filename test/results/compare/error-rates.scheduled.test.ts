import { testErrorRates } from './error-rates.ts';

// P(X > 17) = 0.012 for 200 cases of 5 % each.
testErrorRates(200, 17);
