export { checkRow } from './check.ts';
export { readFigures } from './figures.ts';
