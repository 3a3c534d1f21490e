/** `think`: a place for the agent's reasoning; it does nothing. */

import { defineTool } from '../tool.ts';

export const think = defineTool('think', ['thought'], () => '');
