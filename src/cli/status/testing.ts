/** Parts of this module that its tests use beyond its entry point. */

export { StateFinder, describeAtRest, describeUnderWay, explainState } from './state.ts';
