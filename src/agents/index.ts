export { parseLiteral, stringEnd } from './fastworkflow/json.ts';
export { writeCommand } from './fastworkflow/understanding/command-syntax.ts';
export {
  addOwnStrategy,
  agentSentence,
  exportedStrategy,
  findOwnStrategy,
  isAgentFile,
  type AgentModule,
} from './registry.ts';
export { fewShotOptions, type FewShotOptions } from './few-shot.ts';
export {
  camelCase,
  optionFlag,
  optionName,
  optionVariants,
  optionValue,
  parseOption,
  readNumeral,
  splitList,
  withOptionValues,
} from './options.ts';
export {
  AgentError,
  type AgentErrorKind,
  type AgentFile,
  type AgentSession,
  type AssistantMessage,
  type CallRole,
  type Completion,
  type CompletionRequest,
  type Continuation,
  type ConversationName,
  type LeastSolution,
  type Message,
  type ModelRole,
  type PromptContent,
  type PromptPart,
  type PromptRef,
  type ReplyFieldDefinition,
  type ReplyFieldValues,
  type StrategyOption,
  type SolveEnd,
  type StepSettings,
  type TranscriptLine,
  type Strategy,
  type StrategyDefinition,
  type StrategyOptions,
  type ToolCall,
  type ToolMessage,
  type Usage,
  type WireName,
} from './port.ts';
export { marksThought, separateReasoning, withoutReasoningContent, withoutThoughts } from './reasoning.ts';
export { adaptStrategy, findStrategy, knownStrategies, strategies, type StrategyLookup } from './registry.ts';
export { addUsage, isTruncated } from './messages.ts';
export { observeSteps, type StepEvent } from './step-events.ts';
export { formatAction, transcribeStep, replyText } from './step-events.ts';
export { FORM_OF_STRATEGY } from './registry.ts';
export { asToolCalls } from './text-agent.ts';
export { serviceOptions } from './service-agent/options.ts';
export {
  RESPOND_TO_USER,
  type AgentAnswer,
  type AgentToolCall,
  type ServiceCalls,
  type ServicePort,
  type ServiceRequest,
} from './service-agent/port.ts';
export { toolAction } from './service-agent/strategy.ts';
export type { AgentFunction, AgentTurn } from './service-agent/function.ts';
