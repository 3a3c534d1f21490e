/**
 * Retail's families by name. Its data file has the cycles in which they are drawn. In the medium cycle every stretch of forty tasks uses
 * all tools, and one task in eight is solved by doing nothing; the easy one has single goals that are all granted, the
 * hard one leaves out the plainest and declines one goal in five.
 */

import retail from '../../../data/retail.json' with { type: 'json' };
import { ADDRESS_CHANGES, CANCELLATIONS, MODIFICATIONS, REPAYMENTS } from './pending.ts';
import { EXCHANGES, RETURNS } from './delivered.ts';
import { QUESTIONS, REFUSALS } from './unchanged.ts';
import { COMBINATIONS } from './combinations.ts';
import type { RetailFamily } from './context.ts';
import { untouched, type TaskDomain, type Introduction } from '../../tasks/scenario.ts';
import { named } from '../../tasks/ground.ts';
import type { Customer, RetailModel } from '../model.ts';
import { usersByEmail, usersByNameAndZip } from './facts.ts';
import { RetailScript, RetailContext, type RetailScenario } from './context.ts';

const FAMILIES: Readonly<Record<string, RetailFamily>> = {
  ...CANCELLATIONS,
  ...MODIFICATIONS,
  ...REPAYMENTS,
  ...ADDRESS_CHANGES,
  ...EXCHANGES,
  ...RETURNS,
  ...QUESTIONS,
  ...REFUSALS,
  ...COMBINATIONS,
};

export const retailTasks: TaskDomain<RetailModel, RetailContext, Customer> = {
  families: FAMILIES,
  ...retail.tasks,
  // By turns, so that both ways to find a customer are needed; the other way round in every other round of the cycle.
  open: (parts, at) =>
    new RetailContext(parts, (at + Math.floor(at / retail.tasks.cycles.medium.length)) % 2 === 0 ? 'email' : 'name'),
  narrow,
  introduce,
};

function narrow(context: RetailContext, scenarios: readonly RetailScenario[], which: 'same' | 'fresh'): RetailContext {
  const customers = scenarios.slice(0, 1).map((scenario) => scenario.customer);
  const orders = untouched(customers[0]?.orders ?? [], scenarios, 'order_id');
  const script = which === 'same' ? scenarios[0]?.script : undefined;
  return new RetailContext(
    {
      ...context,
      model: { ...context.model, customers, orders },
      ...(script instanceof RetailScript ? { script } : {}),
    },
    context.identity,
  );
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
