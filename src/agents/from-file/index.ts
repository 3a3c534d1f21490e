export { loadAgent, loadedAgents, type OwnAgent } from './load.ts';
