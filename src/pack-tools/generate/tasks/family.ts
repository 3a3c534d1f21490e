/**
 * Builds families of tasks from declarations. A declaration says which subject (an order, a reservation, a customer) a
 * task fits, what is drawn for it, and the scenario that follows; this engine searches, draws and scripts in that order.
 */

import type { Ending, Scenario, Script } from './scenario.ts';

/** The scenario of a task, apart from its customer and its script. */
type Plan = Pick<Scenario, 'goal' | 'outputs' | 'premises' | 'ending'>;

/** A declared family. `where` and `find` select; the other functions run in the order of these fields. */
export interface FamilySpec<Context, Subject, Parts, Scripted, Found, Drawn> {
  /** @default every subject */
  readonly where?: (subject: Subject) => boolean;
  /** Everything about a subject that a task can be made of. @default the subject itself */
  readonly find?: (subject: Subject, context: Context) => readonly Found[];
  /** Draws what is not found, before the script begins. Undefined: no task fits. */
  readonly draw?: (parts: Parts & { readonly found: Found }) => Drawn | undefined;
  /** @default 'served' */
  readonly ending?: Ending;
  /** Scripts the writes and words the goal. */
  readonly plan: (parts: Parts & Scripted & { readonly found: Found; readonly drawn: Drawn }) => Plan;
}

/** The domain's side of a declaration: how subjects are searched and named. */
export interface SubjectKind<Context, Subject, Parts, Scripted, Found> {
  search<T>(context: Context, options: (subject: Subject) => readonly T[]): readonly [Subject, T] | undefined;
  parts(context: Context, subject: Subject): Parts;
  /** Begins the script and names the subject. */
  begin(parts: Parts, found: Found): Scripted;
}

export function defineFamily<
  Context,
  Subject,
  Customer,
  OwnScript extends Script,
  Parts extends { readonly customer: Customer },
  Scripted extends { readonly script: OwnScript },
  Found,
  Drawn,
>(
  kind: SubjectKind<Context, Subject, Parts, Scripted, Found>,
  spec: FamilySpec<Context, Subject, Parts, Scripted, Found, Drawn>,
): (context: Context) => Scenario<Customer, OwnScript> | undefined {
  const { where, find, draw, ending, plan } = spec;
  return (context) => {
    const hit = kind.search(context, (subject): readonly Found[] => {
      if (where?.(subject) === false) return [];
      // Without `find`, `Found` is the subject's type.
      return find === undefined ? [subject as unknown as Found] : find(subject, context);
    });
    if (hit === undefined) return undefined;
    const [subject, found] = hit;
    const parts = kind.parts(context, subject);
    const drawn = draw?.({ ...parts, found });
    if (draw !== undefined && drawn === undefined) return undefined;
    const scripted = kind.begin(parts, found);
    const planned = plan({ ...parts, ...scripted, found, drawn: drawn as Drawn });
    const { customer } = parts;
    return { customer, script: scripted.script, ...(ending === undefined ? {} : { ending }), ...planned };
  };
}
