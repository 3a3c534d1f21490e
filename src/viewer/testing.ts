/** Parts of this module that its tests use beyond its entry point. */

export { loadBundle, makeBundle } from './bundle.ts';
export { htmlText } from './page.ts';
export { dataJson } from './report.ts';
