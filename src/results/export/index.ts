export { reportsToCsv } from './csv.ts';
export { reportsToJunit } from './junit.ts';
