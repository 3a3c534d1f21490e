/** The module `tauflow/conditions`, which a condition's file imports. */

export { shuffle } from './draw.ts';
export type {
  AgentTexts,
  CallFate,
  CallPlace,
  Condition,
  NameFacts,
  Names,
  RunPlace,
  TakenCall,
  ToolCall,
  ToolSchema,
} from './port.ts';
