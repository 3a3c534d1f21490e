/** The scripted model plays user and agent from the ground truth of domain packs, to test the harness without a key. */

export type { LoggedCall, ScriptedStats } from './stats.ts';
export { MISBEHAVIOR_KINDS } from './roles/user.ts';
export { ScriptedResponder } from './responder.ts';
export { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from './server.ts';
export { readConversation, type Conversation } from './conversation.ts';
export { NO_CASE } from './responder.ts';
export { joinPrompt } from './previous-response.ts';
export { findActionForm, writeMove, type ActionForm } from './roles/action-text.ts';
export { offeredName, speakingTool } from './roles/agent.ts';
