export { loadAgent, loadCondition, loadedAgents, loadedConditions, type OwnAgent, type OwnCondition } from './load.ts';
