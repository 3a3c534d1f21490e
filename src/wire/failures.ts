/** Which failures of activities are the agent's, or its model's, doing. */

import type { AgentErrorKind } from '../agents/port.ts';
import { FailureType } from './activities.ts';

const MODELS_DOING: Readonly<Record<string, AgentErrorKind | undefined>> = {
  [FailureType.ContextOverflow]: 'context_overflow',
  [FailureType.ContentFilter]: 'content_filter',
};

/** What the model, or what was said to it, made fail; undefined for a failure of any other type. */
export function modelsDoing(failureType: string | undefined): AgentErrorKind | undefined {
  return MODELS_DOING[failureType ?? ''];
}
