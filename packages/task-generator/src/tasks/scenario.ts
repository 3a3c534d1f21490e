/**
 * A scenario is what a family of tasks makes: a user's goal, the ground truth as a script of tool calls, and what the
 * goal takes for granted. Also the context that a family draws from, and what a domain provides.
 */

import type { Action, Store } from '../../../../src/benchmarks/index.ts';
import type { Evidence, Ground, Statement } from './ground.ts';
import type { PyValue } from '../../../../src/benchmarks/python/index.ts';
import type { Difficulty, Level } from '../options.ts';
import type { Random } from '../random.ts';

/** An assumption of the instruction, such as that a first choice is not available. */
export interface Premise {
  readonly claim: string;
  readonly holds: (store: Store) => boolean;
}

/** A text that the agent has to say. */
export interface Output {
  readonly text: string;
  /** Every answer that the question has. Absent: an observation of the ground truth shows the text. */
  readonly answers?: (store: Store) => readonly string[];
}

/**
 * `served`: data change or a question is answered. `declined`: the policy forbids the goal, and nothing changes.
 * `transferred`: the wish is beyond the agent, and a person takes over.
 */
export type Ending = 'served' | 'declined' | 'transferred';

/** A task without its frame: who the customer is and how the customer talks is added to it. */
export interface Scenario<C = unknown, S extends Script = Script> {
  readonly customer: C;
  readonly script: S;
  /** The user's goal, in sentences that start with "You". They leave only one right outcome. */
  readonly goal: Statement;
  readonly outputs?: readonly (string | Output)[];
  readonly premises?: readonly Premise[];
  /** @default 'served' */
  readonly ending?: Ending;
}

/** The part of a customer that all domains share. */
export interface Owner {
  readonly id: string;
}

export class Script {
  readonly actions: Action[] = [];
  /** Sources of each write's arguments, by the write's position. */
  readonly evidence = new Map<number, Readonly<Record<string, Evidence>>>();
  readonly #seen = new Set<string>();

  think(thought: string): void {
    this.call('think', { thought });
  }

  transfer(summary: string): void {
    this.call('transfer_to_human_agents', { summary });
  }

  readUser({ id }: Owner): void {
    this.lookUp('get_user_details', { user_id: id }, id);
  }

  /** Reads a customer's records in the profile's order, up to the wanted one; all without one. */
  protected readRecords<R>(customer: Owner, records: readonly R[], read: (record: R) => void, wanted?: R): void {
    this.readUser(customer);
    for (const record of records) {
      read(record);
      if (record === wanted) return;
    }
  }

  /** A call that changes nothing. */
  protected call(name: string, kwargs: Readonly<Record<string, PyValue>>): void {
    this.actions.push({ name, kwargs: new Map(Object.entries(kwargs)) });
  }

  /** A call that need not be made again. */
  protected lookUp(name: string, kwargs: Readonly<Record<string, PyValue>>, key: string): void {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.call(name, kwargs);
  }

  protected write(name: string, evidence: Readonly<Record<string, Evidence>>): void {
    this.evidence.set(this.actions.length, evidence);
    this.actions.push({
      name,
      kwargs: new Map(Object.entries(evidence).map(([key, { argument }]) => [key, argument])),
    });
  }
}

export interface ContextParts<W, S extends Script = Script> {
  readonly random: Random;
  readonly model: W;
  readonly level: Level;
  /** The script of a conversation that began with another goal. */
  readonly script?: S;
}

/** The part of a domain's model that all domains share. */
export interface Model<C extends Owner> {
  readonly customers: readonly C[];
}

/** The part of a context that every draw needs. */
export type Drawing = Pick<ContextParts<unknown>, 'random' | 'level'>;

export class DrawContext<C extends Owner, W extends Model<C>, S extends Script = Script> {
  readonly random: Random;
  readonly model: W;
  readonly level: Level;
  protected readonly begun: S | undefined;

  constructor({ random, model, level, script }: ContextParts<W, S>) {
    this.random = random;
    this.model = model;
    this.level = level;
    this.begun = script;
  }

  /** Finds a random one of what `options` gives for a random customer. */
  fromCustomer<T>(options: (customer: C) => readonly T[]): readonly [C, T] | undefined {
    return this.search(this.model.customers, options);
  }

  /** Starts at a random subject and takes the first with an option, which is quicker than comparing all. */
  protected search<S, T>(subjects: readonly S[], options: (subject: S) => readonly T[]): readonly [S, T] | undefined {
    const start = subjects.length === 0 ? 0 : this.random.int(0, subjects.length - 1);
    for (let i = 0; i < subjects.length; i++) {
      const subject = subjects[(start + i) % subjects.length] as S;
      const found = options(subject);
      if (found.length > 0) return [subject, this.random.pick(found)];
    }
    return undefined;
  }
}

/** All ordered pairs of different items. */
export function pairs<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.flatMap((a, i) => items.filter((_, j) => i !== j).map((b) => [a, b] as const));
}

/** Makes one task of its kind; undefined if it fits nobody in the data. */
export type Family<St, C> = (context: St) => Scenario<C> | undefined;

export interface Introduction {
  /** The user's identity, in the instruction's first sentence. */
  readonly text: string;
  /** The words by which the agent can find the user. */
  readonly identity: Ground;
}

export interface TaskDomain<W extends Model<C>, St extends Drawing, C extends Owner> {
  /** All families by name. */
  readonly families: Readonly<Record<string, Family<St, C>>>;
  /** The families of each difficulty, in the order in which they are drawn repeatedly. */
  readonly cycles: Readonly<Record<Difficulty, readonly string[]>>;
  /** Drawn if a family of the cycle fits nobody; these need almost nothing. */
  readonly spare: readonly string[];
  /** Families that can be combined with another goal of the same customer. */
  readonly companions: readonly string[];
  /** Families with a single wish that a customer can drop before anything is done. */
  readonly droppable: readonly string[];
  /** @param at position of the task in its split */
  open(parts: Omit<ContextParts<W>, 'script'>, at: number): St;
  /**
   * A context with one customer and with what earlier goals do not write to.
   * @param script `same`: the goal is reached in the same conversation
   */
  narrow(context: St, scenarios: readonly Scenario<C>[], script: 'same' | 'fresh'): St;
  introduce(context: St, customer: C): Introduction;
}

/**
 * Keeps of a model one customer's records that earlier goals do not write to.
 * @param argument of the tools that write to a record: its id, or a list of ids
 */
export function untouched<R extends Owner>(
  records: readonly R[],
  scenarios: readonly Scenario[],
  argument: string,
): readonly R[] {
  const ids = scenarios.flatMap(({ script }) =>
    Array.from(script.evidence.values(), (evidence) => evidence[argument]?.argument),
  );
  return records.filter(({ id }) => !ids.flat().includes(id));
}

/** The scenario of a task, apart from its customer and its script. */
type Plan = Pick<Scenario, 'goal' | 'outputs' | 'premises' | 'ending'>;

/** A declared family. `where` and `find` select; the other functions run in the order of these fields. */
export interface FamilySpec<Context, Subject, Parts, Scripted, Found, Drawn> {
  /** @default every subject */
  readonly where?: (subject: Subject) => boolean;
  /** Everything about a subject that a task can be made of. @default the subject itself */
  readonly find?: (subject: Subject, context: Context) => readonly Found[];
  /** Draws further values before the script begins; undefined if no task fits. */
  readonly draw?: (parts: Parts & { readonly found: Found }) => Drawn | undefined;
  /** @default 'served' */
  readonly ending?: Ending;
  /** Scripts the writes and words the goal. */
  readonly plan: (parts: Parts & Scripted & { readonly found: Found; readonly drawn: Drawn }) => Plan;
}

/** The domain's side of a declaration: how subjects are searched and named. */
interface SubjectKind<Context, Subject, Parts, Scripted, Found> {
  search<T>(context: Context, options: (subject: Subject) => readonly T[]): readonly [Subject, T] | undefined;
  parts(context: Context, subject: Subject): Parts;
  /** Begins the script and names the subject. */
  begin(parts: Parts, found: Found): Scripted;
}

/**
 * Builds a family of tasks from its declaration: which subject (an order, a reservation, a customer) a task fits, what is
 * drawn for it, and the scenario that follows. The engine searches, draws and scripts in that order.
 */
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
