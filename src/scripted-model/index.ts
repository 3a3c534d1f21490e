/**
 * The scripted model: plays user and agent from the ground truth of domain packs, so that a harness can be proven
 * without a key. Its figures say nothing about any model.
 */

export type { LoggedCall } from './call-log.ts';
export { CARELESS_KINDS } from './careless.ts';
export { ScriptedPlayer } from './player.ts';
export { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from './server.ts';
export type { ScriptedStats } from './stats.ts';
