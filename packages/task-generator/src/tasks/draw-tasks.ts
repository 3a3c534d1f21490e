/**
 * Draws the tasks of a split: runs the families in their order, combines several goals in hard packs, adds who the user
 * is and how the conversation ends, and proves the result. A task that cannot be proven is discarded and drawn again.
 */

import type { EnvData } from '../../../../src/benchmarks/index.ts';
import type { DumpableValue } from '../../../../src/benchmarks/python/index.ts';
import { PackError } from '../../../../src/benchmarks/packs/index.ts';
import type { Level } from '../options.ts';
import { findDefects, type Claim, type Goal } from './proof.ts';
import type { Random } from '../random.ts';
import type { TaskDomain, Introduction, Scenario, Drawing, Model, Owner } from './scenario.ts';
import { statement, type Evidence, type Statement } from './ground.ts';
import { manners } from '../people.ts';

/** Most unsuccessful draws of a family before another family is tried. */
const ATTEMPTS = 12;

export interface DrawOptions {
  readonly count: number;
  readonly level: Level;
  /** Steps through the cycle from one task to the next; without a common factor with its size. */
  readonly stride: number;
  /** Goals by user in earlier splits and new ones. No user has the same goal twice. */
  readonly taken: Set<string>;
  /** Called with every generated task; tasks that are kept have no defects. */
  readonly onTask?: TaskListener;
}

export type TaskListener = (family: string, claim: Claim, faults: readonly string[]) => void;

/** A model, its tables, and how tasks are made of them. */
interface Setting<W extends Model<C>, St extends Drawing, C extends Owner> {
  readonly model: W;
  readonly data: EnvData;
  readonly domain: TaskDomain<W, St, C>;
}

/** @throws PackError when the data are too small for that many different tasks */
export function drawTasks<W extends Model<C>, St extends Drawing, C extends Owner>(
  random: Random,
  setting: Setting<W, St, C>,
  options: DrawOptions,
): DumpableValue[] {
  const { cycles, spare } = setting.domain;
  const cycle = cycles[options.level.difficulty];
  return Array.from({ length: options.count }, (_, i) => {
    const family = cycle[(i * options.stride) % cycle.length];
    const own = random.fork(String(i));
    const families = family === undefined ? spare : [family, ...random.shuffle(spare)];
    return freshTask(own, i, setting, families, options);
  });
}

function freshTask<W extends Model<C>, St extends Drawing, C extends Owner>(
  random: Random,
  at: number,
  { model, data, domain }: Setting<W, St, C>,
  families: readonly string[],
  { count, level, taken, onTask }: DrawOptions,
): DumpableValue {
  for (const family of families) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const context = domain.open({ random, model, level }, at);
      const scripted = gatherGoals(context, family, domain);
      const customer = scripted[0]?.scenario.customer;
      if (customer === undefined) break;
      const dropped = drawDroppedWish(context, scripted, domain);
      const goal = joinGoals(
        scripted.map(({ scenario }) => scenario.goal),
        dropped?.goal,
      );
      const wish = `${customer.id} ${goal.text}`;
      if (taken.has(wish)) continue;
      const claim = composeClaim(random, domain.introduce(context, customer), scripted, goal);
      const faults = findDefects(data, claim);
      onTask?.(family, claim, faults);
      if (faults.length > 0) continue;
      taken.add(wish);
      return taskRecord(customer.id, claim);
    }
  }
  throw new PackError(
    `${String(model.customers.length)} customers are too few for ${String(count)} different tasks; ask for more customers.`,
  );
}

function taskRecord(userId: string, { instruction, actions, goals }: Claim): DumpableValue {
  return {
    user_id: userId,
    instruction,
    actions: actions.map((action) => ({ name: action.name, kwargs: action.kwargs })),
    outputs: goals.flatMap((goal) => goal.outputs.map((output) => output.text)),
  };
}

/** Most draws of a further goal for a task. */
const GOAL_ATTEMPTS = 6;
const COUNTS = ['no', 'one', 'two', 'three'] as const;
const ORDINALS = ['first', 'second', 'third'] as const;

/** A scenario, and up to where in the shared script its actions go. */
interface ScriptedGoal<C> {
  readonly scenario: Scenario<C>;
  readonly until: number;
}

/** A family's scenario, with as many more of the same customer as the level has it. */
function gatherGoals<W extends Model<C>, St extends Drawing, C extends Owner>(
  context: St,
  family: string,
  domain: TaskDomain<W, St, C>,
): ScriptedGoal<C>[] {
  const first = domain.families[family]?.(context);
  if (first === undefined) return [];
  const scripted = [scriptedGoal(first)];
  if (!domain.companions.includes(family)) return scripted;
  for (const chance of [context.level.secondGoal, context.level.thirdGoal]) {
    if (chance === 0 || !context.random.chance(chance)) break;
    const scenarios = scripted.map(({ scenario }) => scenario);
    const more = draw(domain.narrow(context, scenarios, 'same'), domain.companions, domain);
    if (more === undefined) break;
    scripted.push(scriptedGoal(more));
  }
  return scripted;
}

function scriptedGoal<C>(scenario: Scenario<C>): ScriptedGoal<C> {
  return { scenario, until: scenario.script.actions.length };
}

/** A request that the customer makes and withdraws; the ground truth does not contain it. */
function drawDroppedWish<W extends Model<C>, St extends Drawing, C extends Owner>(
  context: St,
  scripted: readonly ScriptedGoal<C>[],
  domain: TaskDomain<W, St, C>,
): Scenario<C> | undefined {
  const chance = context.level.changeOfMind;
  if (chance === 0 || !context.random.chance(chance)) return undefined;
  const scenarios = scripted.map(({ scenario }) => scenario);
  return draw(domain.narrow(context, scenarios, 'fresh'), domain.droppable, domain);
}

/** The goals in one text. */
function joinGoals(goals: readonly Statement[], dropped: Statement | undefined): Statement {
  const joined = goals.length === 1 ? statement`${goals[0] ?? ''}` : numbered(goals);
  if (dropped === undefined) return joined;
  // A dropped goal is in the text, but nothing depends on it.
  return statement`You begin with something else: ${dropped.text} When the agent has answered, you drop that for good and consent to nothing of it, because you have thought better of it. What you want in truth is this. ${joined}`;
}

function numbered(goals: readonly Statement[]): Statement {
  const start = statement`You have come with ${COUNTS[goals.length] ?? 'several'} matters, and bring each one up when the one before is settled.`;
  return goals.reduce((told, goal, at) => statement`${told} The ${ORDINALS[at] ?? 'next'} one: ${goal}`, start);
}

function draw<W extends Model<C>, St extends Drawing, C extends Owner>(
  context: St,
  families: readonly string[],
  domain: TaskDomain<W, St, C>,
): Scenario<C> | undefined {
  for (let attempt = 0; attempt < GOAL_ATTEMPTS; attempt++) {
    const scenario = domain.families[context.random.pick(families)]?.(context);
    if (scenario !== undefined) return scenario;
  }
  return undefined;
}

/** @param scripted scenarios with one common script @param goal the user's wishes in one text */
function composeClaim(
  random: Random,
  { text, identity }: Introduction,
  scripted: readonly ScriptedGoal<unknown>[],
  goal: Statement,
): Claim {
  const script = scripted[0]?.scenario.script;
  const manner = random.pick(manners);
  const writes = (script?.evidence.size ?? 0) > 0;
  return {
    instruction: `${text} ${manner} ${goal.text} ${closing(random, writes)}`,
    identity,
    actions: script?.actions ?? [],
    goals: toGoals(scripted),
  };
}

function closing(random: Random, writes: boolean): string {
  if (!writes) return 'You ask for nothing beyond this.';
  return random.pick([
    'When the agent repeats a change that you want and asks for your consent, you give it. You want nothing beyond this.',
    'You say yes to whatever the agent proposes that is exactly what you asked for, and to nothing else.',
    'You agree as soon as the agent has summed up what you want. There is nothing else on your mind.',
  ]);
}

/** Pairs each scenario with its writes: those after the previous scenario's. */
function toGoals(scripted: readonly ScriptedGoal<unknown>[]): Goal[] {
  let from = 0;
  return scripted.map(({ scenario, until }) => {
    const { script, goal, outputs = [], premises = [], ending = 'served' } = scenario;
    const start = from;
    const evidence = Array.from(script.evidence).filter(([at]) => at >= start && at < until);
    from = until;
    return {
      grounds: goal.grounds,
      premises,
      outputs: outputs.map((output) => (typeof output === 'string' ? { text: output } : output)),
      ending,
      evidence: new Map<number, Readonly<Record<string, Evidence>>>(evidence),
    };
  });
}
