/** A tool of τ³-bench for the agent or the simulated user, with keyword arguments. */

import type { Store } from '../domain.ts';
import type { PyValue } from '../python/index.ts';

export type Requestor = 'assistant' | 'user';

/** Kind of a tool in the reference's words. Grading repeats only calls of `write` tools. */
type ToolKind = 'read' | 'write' | 'think' | 'generic';

export interface Parameter {
  readonly name: string;
  /** Value of a missing argument. @default the parameter is required */
  readonly default?: PyValue;
}

export interface Tau3Tool {
  readonly name: string;
  readonly requestor: Requestor;
  readonly kind: ToolKind;
  /** Parameters in Python's order. */
  readonly parameters: readonly Parameter[];
  /**
   * Returns the reference's result, with models as their dumps. A lone number or boolean in a list or dict without a
   * model becomes a text (`str`), as in the reference.
   * @throws PyError if the reference raises one; earlier writes remain
   */
  readonly invoke: (store: Store, args: Readonly<Record<string, PyValue>>) => PyValue;
}

export type NameOf<P> = P extends string ? P : P extends { readonly name: infer N extends string } ? N : never;

/** Declares a tool whose arguments are typed by name. @param parameters a name alone is a required parameter */
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
