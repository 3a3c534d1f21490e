/** Prompts: given a pack, a strategy and a conversation, a request that is ready for a provider. */

export { nameFacts, packUnderCondition } from './conditioned.ts';
export { DISPLAYS_PER_PROMPT, displaysFor } from './few-shots.ts';
export { PromptError, expandMessages, prepareRequest, toolSchemas, type ReadyRequest } from './prompts.ts';
export { readReplyFields } from './reply-fields.ts';
