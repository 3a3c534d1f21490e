/** Parts of this module that its tests use beyond its entry point. */

export { Bridge } from './bridge.ts';
export type { Cycle } from './context.ts';
export { parseLooseObject, readList } from './json.ts';
export { Repeats } from './loop/repeats.ts';
export { KEPT, askShortened, trajectoryParts } from './prompts/ask.ts';
export {
  extractionMessages,
  extractionTexts,
  promptMessages,
  type PromptInputs,
  type ReplyForm,
} from './prompts/messages.ts';
export { readProse, parseReply } from './prompts/reply.ts';
export { marker, signaturesFor, type Signature, type SignatureName } from './prompts/signatures.ts';
export { createTrainingDraw, fill } from './training/templates.ts';
export { readInside, readSyntax, scanTags, type Syntax } from './understanding/command-syntax.ts';
export { classify } from './understanding/default-classifier.ts';
export { detect, normaliseUtterance, recognise, settle, type Detection } from './understanding/intent.ts';
export { transition } from './understanding/machine.ts';
export {
  ACCEPT,
  FLOOR,
  MARGIN,
  clearlyAhead,
  decideMatch,
  editDistance,
  matchName,
  rankByWords,
  sortRanking,
  suggestCommands,
} from './understanding/matching.ts';
export { exampleValues, splitValues } from './understanding/parameter-stage.ts';
export { checkParameters, coerceField, type ParameterCheck, type RawValue } from './understanding/parameters.ts';
export {
  START,
  emptyMemory,
  type Clarification,
  type CmeContext,
  type CmeEffect,
  type CmeEvent,
  type CmeOptions,
  type CmeStage,
  type CmeStep,
  type RawParameters,
} from './understanding/types.ts';
export { askRanker, commandReplyFields, extractParameters, understand } from './understanding/understand.ts';
export { listCommands, readWritten } from './understanding/written-commands.ts';
