import { VARIANTS } from './measure.ts';
import { testEffects } from './table.ts';

testEffects(Object.keys(VARIANTS));
