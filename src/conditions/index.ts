/** Conditions under which episodes are played: failing tools, other names, users of another manner. */

export type { Condition, ConditionRef } from './port.ts';
export {
  CONDITIONS,
  addOwnCondition,
  findCondition,
  formatConditionName,
  isConditionFile,
  parseCondition,
} from './registry.ts';
