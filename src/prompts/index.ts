export { DISPLAYS_PER_PROMPT, displaysFor } from './few-shots.ts';
export { PromptError, expandMessages, toolSchemas, type ExpandedMessage } from './prompts.ts';
export { readReplyFields } from './reply-fields.ts';
