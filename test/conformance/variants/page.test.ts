import { expect, it } from 'vitest';
import { VARIANTS } from './measure.ts';
import { shownVariants, testEffects } from './table.ts';

it('the page shows the effect of every variant, and of none', () => {
  expect(shownVariants()).toEqual(Object.keys(VARIANTS));
});

// `page.scheduled.test.ts` measures each of them.
testEffects(['none', 'all but double grading']);
