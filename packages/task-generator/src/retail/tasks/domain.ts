/**
 * Retail's families by name and the cycles in which they are drawn. In the medium cycle every stretch of forty tasks uses
 * all tools, and one task in eight is solved by doing nothing; the easy one has single goals that are all granted, the
 * hard one leaves out the plainest and declines one goal in five.
 */

import { ADDRESS_CHANGES, CANCELLATIONS, MODIFICATIONS, REPAYMENTS } from './pending.ts';
import { EXCHANGES, RETURNS } from './delivered.ts';
import { QUESTIONS, REFUSALS } from './unchanged.ts';
import { COMBINATIONS } from './combinations.ts';
import type { RetailFamily } from './context.ts';
import { isList } from '../../../../../src/benchmark/python/index.ts';
import type { TaskDomain, Introduction } from '../../tasks/scenario.ts';
import { named } from '../../tasks/ground.ts';
import type { Customer, RetailModel } from '../model.ts';
import { usersByEmail, usersByNameAndZip } from './facts.ts';
import { RetailScript, RetailContext, type RetailScenario } from './context.ts';

const FAMILIES = {
  ...CANCELLATIONS,
  ...MODIFICATIONS,
  ...REPAYMENTS,
  ...ADDRESS_CHANGES,
  ...EXCHANGES,
  ...RETURNS,
  ...QUESTIONS,
  ...REFUSALS,
  ...COMBINATIONS,
} satisfies Record<string, RetailFamily>;

type FamilyName = keyof typeof FAMILIES;

const MEDIUM: readonly FamilyName[] = [
  'exchangeOption',
  'cancelOne',
  'modifyToCheapest',
  'returnToGiftCard',
  'countVariants',
  'moveHouse',
  'cancelAndReturn',
  'cancelTooLate',

  'changePayment',
  'exchangeDoubled',
  'cancelItemFallsBack',
  'sumOrders',
  'redirectAndModify',
  'returnOne',
  'modifyTwo',
  'beyondTheTools',

  'exchangeExtreme',
  'cancelAll',
  'returnOtherwise',
  'payIfCovered',
  'copyAddress',
  'modifyOption',
  'exchangeAndRepay',
  'strangersOrder',

  'exchangeTwo',
  'cancelOneOfTwo',
  'modifyGiftCardTooLow',
  'returnAllButOne',
  'trackParcel',
  'redirectOrder',
  'returnInsteadOfSwitch',
  'reviveOrder',

  'changePaymentFallsBack',
  'exchangeSecondChoice',
  'priceMatchThenCancel',
  'returnOneOfDoubled',
  'returnAndRedirect',
  'cancelItemThenWhole',
  'exchangeRatherThanReturn',
  'refundElsewhere',
];

const EASY: readonly FamilyName[] = [
  'exchangeOption',
  'cancelOne',
  'redirectOrder',
  'returnOne',
  'countVariants',
  'modifyOption',
  'changePayment',
  'trackParcel',
  'returnToGiftCard',
  'changeProfile',
  'askPrice',
];

const HARD: readonly FamilyName[] = [
  'cancelAll',
  'exchangeExtreme',
  'cancelTooLate',
  'modifyTwo',
  'sumOrders',
  'moveHouse',
  'returnAllButOne',
  'refundElsewhere',
  'cancelAndReturn',
  'exchangeSecondChoice',
  'modifyGiftCardTooLow',
  'exchangeOption',
  'strangersOrder',
  'cancelOneOfTwo',
  'returnOtherwise',
  'changePaymentFallsBack',
  'redirectAndModify',
  'beyondTheTools',
  'exchangeAndRepay',
  'exchangeRatherThanReturn',
  'payIfCovered',
  'modifyToCheapest',
  'reviveOrder',
  'exchangeTwo',
  'cancelItemFallsBack',
  'returnInsteadOfSwitch',
  'copyAddress',
  'refundElsewhere',
  'returnAndRedirect',
  'exchangeDoubled',
  'cancelItemThenWhole',
  'changePayment',
];

const CYCLES = { easy: EASY, medium: MEDIUM, hard: HARD } as const;

/** Drawn when a family of the cycle finds nobody: these require hardly anything. */
const SPARE: readonly FamilyName[] = ['changeProfile', 'askPrice', 'redirectOrder', 'modifyOption', 'returnOne'];

/** Goals that leave room for another goal of the same customer. */
const COMPANIONS: readonly FamilyName[] = [
  'cancelOne',
  'cancelOneOfTwo',
  'cancelItemFallsBack',
  'exchangeOption',
  'exchangeExtreme',
  'exchangeSecondChoice',
  'exchangeDoubled',
  'exchangeTwo',
  'modifyOption',
  'modifyToCheapest',
  'modifyTwo',
  'changePayment',
  'changePaymentFallsBack',
  'returnOne',
  'returnAllButOne',
  'returnOtherwise',
  'copyAddress',
  'refundElsewhere',
];

/** Wishes that can be dropped before anything is done. */
const DROPPABLE: readonly FamilyName[] = ['cancelOne', 'exchangeOption', 'modifyOption', 'changePayment', 'returnOne'];

export const retailTasks: TaskDomain<RetailModel, RetailContext, Customer> = {
  families: FAMILIES,
  cycles: CYCLES,
  spare: SPARE,
  companions: COMPANIONS,
  droppable: DROPPABLE,
  // By turns, so that both ways to find a customer are needed; the other way round in every other round of the cycle.
  open: (parts, at) =>
    new RetailContext(parts, (at + Math.floor(at / CYCLES.medium.length)) % 2 === 0 ? 'email' : 'name'),
  narrow,
  introduce,
  size: (shop) => shop.customers.length,
};

function narrow(context: RetailContext, scenarios: readonly RetailScenario[], which: 'same' | 'fresh'): RetailContext {
  const script = scenarios[0]?.script;
  const customers = scenarios.slice(0, 1).map((scenario) => scenario.customer);
  const touched = new Set(scenarios.flatMap((scenario) => writtenOrders(scenario)));
  const orders = customers.flatMap((customer) => customer.orders).filter((order) => !touched.has(order.id));
  const { random, level } = context;
  const model = { ...context.model, customers, orders };
  const same = which === 'same' && script instanceof RetailScript ? script : undefined;
  return new RetailContext({ random, level, model }, context.identity, same);
}

function writtenOrders({ script }: RetailScenario): string[] {
  return Array.from(script.evidence.values()).flatMap((evidence) => {
    const id = evidence['order_id']?.argument;
    return typeof id === 'string' ? [id] : isList(id) ? id.filter((one) => typeof one === 'string') : [];
  });
}

/** Gives the customer one of the two ways to be found, and only that. */
function introduce({ random, identity }: RetailContext, customer: Customer): Introduction {
  const { id, firstName, lastName, email, address } = customer;
  const name = `${firstName} ${lastName}`;
  if (identity === 'email') {
    const text = random.pick([
      `You are ${name}, and the shop Alder & Finch knows you as ${email}.`,
      `You are ${name} and shop at Alder & Finch under the email address ${email}.`,
      `Your name is ${name}, your email address is ${email}.`,
    ]);
    const candidates = (store: Parameters<typeof usersByEmail>[0]) => usersByEmail(store, email);
    return { text, identity: named({ text, value: customer, argument: id, says: [email], candidates }) };
  }
  const text = random.pick([
    `You are ${name} from ${address.city}, zip code ${address.zip}; you no longer know which email address the shop has.`,
    `You are ${name}. You live in ${address.city}, ${address.state}, where the zip code is ${address.zip}, and would rather not give your email address.`,
    `Your name is ${name} and your zip code is ${address.zip}. You do not use email in this conversation.`,
  ]);
  const candidates = (store: Parameters<typeof usersByEmail>[0]) =>
    usersByNameAndZip(store, firstName, lastName, address.zip);
  return { text, identity: named({ text, value: customer, argument: id, says: [name, address.zip], candidates }) };
}
