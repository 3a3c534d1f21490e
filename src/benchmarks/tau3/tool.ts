/** A tool of τ³-bench: called by the agent or by the simulated user, with keyword arguments. */

import type { Store } from '../domain.ts';
import type { PyValue } from '../python/index.ts';

export type Requestor = 'assistant' | 'user';

/** A tool's purpose, in the reference's words; only tools that write are carried out again when an episode is graded. */
export type ToolKind = 'read' | 'write' | 'think' | 'generic';

export interface Parameter {
  readonly name: string;
  /** Absent: the argument is required. */
  readonly default?: PyValue;
}

export interface Tau3Tool {
  readonly name: string;
  readonly requestor: Requestor;
  readonly kind: ToolKind;
  /** Its parameters in Python's order. */
  readonly parameters: readonly Parameter[];
  /**
   * Returns what the reference returns, models as their dumps. A number or boolean in a list or dict which
   * is no model is a text there (`str`), because the reference shows it so.
   * @throws PyError where the reference raises; what was put before stays
   */
  readonly invoke: (store: Store, args: Readonly<Record<string, PyValue>>) => PyValue;
}

export type NameOf<P> = P extends string ? P : P extends { readonly name: infer N extends string } ? N : never;

/**
 * Declares a tool so that its code can take the arguments apart by name; those left out have their default.
 * @param parameters a name alone is a required one
 */
type Define = <const P extends readonly (string | Parameter)[]>(
  name: string,
  parameters: P,
  invoke: (store: Store, args: Readonly<Record<NameOf<P[number]>, PyValue>>) => PyValue,
) => Tau3Tool;

function definer(kind: ToolKind, requestor: Requestor): Define {
  return (name, parameters, invoke) => ({
    name,
    requestor,
    kind,
    parameters: parameters.map((parameter) => (typeof parameter === 'string' ? { name: parameter } : parameter)),
    invoke,
  });
}

export const readTool = definer('read', 'assistant');
export const writeTool = definer('write', 'assistant');
export const genericTool = definer('generic', 'assistant');
export const userReadTool = definer('read', 'user');
export const userWriteTool = definer('write', 'user');
