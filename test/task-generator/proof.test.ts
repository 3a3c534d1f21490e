import { beforeAll, describe, expect, it } from 'vitest';
import { isDict, isList, type PyDict } from '../../src/benchmarks/python/index.ts';
import { findDefects, type Claim } from '../../packages/task-generator/src/testing.ts';
import {
  callOf,
  claimsOf,
  customerOf,
  float,
  idOf,
  make,
  pick,
  recordOf,
  textOf,
  withArgument,
  withPath,
  withRecord,
  type Made,
} from './claims.ts';

let shop: Made;
let airline: Made;

beforeAll(() => {
  shop = make({ env: 'retail', seed: 31, tasks: 160, devTasks: 1 });
  airline = make({ env: 'airline', seed: 31, tasks: 190, devTasks: 1 });
});

/** The order that a task names by a product in it, with that product's name. */
function describedOrder(claim: Claim): readonly [words: string, product: string] | undefined {
  const found =
    /(?:the order with|the order that contains|that order of yours with) the ([A-Z][\w ]+?)(?: in it)? \(/.exec(
      claim.instruction,
    );
  return found === null ? undefined : [found[0], found[1] ?? ''];
}

describe('a retail task', () => {
  it('has no faults as it was generated', () => {
    for (const claim of Array.from(shop.kept.values()).flat()) expect(findDefects(shop.pack, claim)).toEqual([]);
  });

  it('must say who the user is', () => {
    const claim = pick(claimsOf(shop, 'cancelOne', 'returnOne'), ({ instruction }) => instruction.includes('@'));
    const nameless = { ...claim, instruction: claim.instruction.replace(/\S+@\S+/, 'an address') };
    expect(findDefects(shop.pack, nameless)).toEqual([expect.stringMatching(/^the instruction does not say ".*@/)]);
  });

  it('must not be about either of two users', () => {
    const claim = pick(claimsOf(shop, 'cancelOne', 'returnOne'), ({ instruction }) => instruction.includes('@'));
    const user = recordOf(shop.pack, 'users', customerOf(claim));
    const twins = withRecord(shop.pack, 'users', 'twin_0001', () => user);
    expect(findDefects(twins, claim)).toContainEqual(expect.stringMatching(/fits 2 things: '\w+', 'twin_0001'/));
    const byZip = pick(claimsOf(shop, 'cancelOne', 'returnOne'), ({ instruction }) => !instruction.includes('@'));
    const other = recordOf(shop.pack, 'users', customerOf(byZip));
    const namesakes = withRecord(shop.pack, 'users', 'twin_0001', () => other);
    expect(findDefects(namesakes, byZip)).toContainEqual(expect.stringMatching(/fits 2 things/));
  });

  it('must say which order is meant', () => {
    const claim = pick(claimsOf(shop, 'cancelOne'), (one) => describedOrder(one) !== undefined);
    const [words = ''] = describedOrder(claim) ?? [];
    const vague = { ...claim, instruction: claim.instruction.replace(words, 'an order of yours (') };
    expect(findDefects(shop.pack, vague)).toEqual([expect.stringMatching(/^the instruction does not say ".*order/)]);
  });

  it('must not describe two orders at once', () => {
    const claim = pick(claimsOf(shop, 'cancelOne'), (one) => {
      const user = recordOf(shop.pack, 'users', customerOf(one));
      const orders = user.get('orders') ?? null;
      return describedOrder(one) !== undefined && isList(orders) && orders.length > 1;
    });
    const [, product = ''] = describedOrder(claim) ?? [];
    const meant = textOf(callOf(claim, 'cancel_pending_order'), 'order_id');
    const orders = recordOf(shop.pack, 'users', customerOf(claim)).get('orders') ?? null;
    const other = isList(orders) ? orders.find((id) => id !== meant) : undefined;
    const doubled = withRecord(shop.pack, 'orders', idOf(other), (order) =>
      withPath(order, ['items', 0, 'name'], product),
    );
    expect(findDefects(doubled, claim)).toEqual([expect.stringMatching(/fits 2 things: '#W\d+', '#W\d+'$/)]);
  });

  it('must not have two cheapest versions', () => {
    const claim = pick(claimsOf(shop, 'modifyToCheapest'));
    const [chosen = null] = listOf(callOf(claim, 'modify_pending_order_items'), 'new_item_ids');
    const product = Array.from(shop.pack.tables.get('products') as PyDict).find(
      ([, one]) => isDict(one) && isDict(one.get('variants')) && (one.get('variants') as PyDict).has(idOf(chosen)),
    );
    const [id = '', record] = product ?? [];
    const variants = isDict(record) ? (record.get('variants') as PyDict) : new Map<string, PyDict>();
    const best = variants.get(idOf(chosen)) as PyDict;
    const [rival = ''] = Array.from(variants.keys()).filter((key) => key !== chosen);
    const tied = withRecord(shop.pack, 'products', id, (one) =>
      withPath(
        withPath(one, ['variants', rival, 'price'], best.get('price') ?? null),
        ['variants', rival, 'available'],
        true,
      ),
    );
    expect(findDefects(tied, claim)).toContainEqual(
      expect.stringMatching(/^"the cheapest version that is in stock" fits 2 things/),
    );
  });

  it('must name a payment method of which the user has one', () => {
    const claim = pick(claimsOf(shop, 'changePayment', 'modifyOption'), ({ instruction }) =>
      /your credit card/.test(instruction),
    );
    const second = new Map([
      ['source', 'credit_card'],
      ['brand', 'visa'],
      ['last_four', '0000'],
      ['id', 'credit_card_0000000'],
    ]);
    const richer = withRecord(shop.pack, 'users', customerOf(claim), (user) =>
      withPath(user, ['payment_methods', 'credit_card_0000000'], second),
    );
    expect(findDefects(richer, claim)).toEqual([expect.stringMatching(/^"your credit card" fits 2 things/)]);
  });

  it('must do what its words mean, and with nothing else', () => {
    const claim = pick(claimsOf(shop, 'redirectOrder'));
    const zip = textOf(callOf(claim, 'modify_pending_order_address'), 'zip');
    const astray = withArgument(claim, 'modify_pending_order_address', 'zip', '00000');
    expect(findDefects(shop.pack, astray)).toEqual([
      `the zip of modify_pending_order_address is '00000'; the instruction means '${zip}'`,
    ]);
    const silent = { ...claim, instruction: claim.instruction.replaceAll(zip, '') };
    expect(findDefects(shop.pack, silent)).toContainEqual(expect.stringMatching(/^the instruction does not say/));
  });

  it('must deal with all of what is named together', () => {
    const claim = pick(claimsOf(shop, 'cancelAll'));
    const [goal] = claim.goals;
    const positions = Array.from(goal?.evidence.keys() ?? []);
    const last = positions.at(-1) ?? 0;
    const left = textOf(claim.actions[last]?.kwargs ?? new Map(), 'order_id');
    const evidence = new Map(Array.from(goal?.evidence ?? []).filter(([at]) => at !== last));
    const actions = claim.actions.map((action, at) => (at === last ? { name: 'think', kwargs: THOUGHT } : action));
    const lazy = { ...claim, actions, goals: goal === undefined ? [] : [{ ...goal, evidence }] };
    expect(findDefects(shop.pack, lazy)).toEqual([
      `"every one of your orders that is still pending" includes '${left}', which is left out`,
    ]);
  });

  it('must hold what its conditions take for granted', () => {
    const claim = pick(claimsOf(shop, 'changePaymentFallsBack'));
    const user = recordOf(shop.pack, 'users', customerOf(claim));
    const card =
      Array.from((user.get('payment_methods') as PyDict).keys()).find((id) => id.startsWith('gift_card')) ?? '';
    const rich = withRecord(shop.pack, 'users', customerOf(claim), (one) =>
      withPath(one, ['payment_methods', card, 'balance'], 9999n),
    );
    expect(findDefects(rich, claim)).toEqual([`it is not true that ${card} holds less than it has to pay`]);
  });

  it('must ask for nothing that an agent cannot know', () => {
    const claim = pick(claimsOf(shop, 'trackParcel'));
    const goals = claim.goals.map((goal) => ({ ...goal, outputs: [{ text: '000111222333' }] }));
    expect(findDefects(shop.pack, { ...claim, goals })).toEqual(['nothing that the agent sees says 000111222333']);
    const count = pick(claimsOf(shop, 'countVariants'));
    const wrong = count.goals.map((goal) => ({
      ...goal,
      outputs: goal.outputs.map((output) => ({ ...output, text: '99' })),
    }));
    expect(findDefects(shop.pack, { ...count, goals: wrong })).toContainEqual(
      expect.stringMatching(/^99 is not the one answer: \d+$/),
    );
  });

  it('must replay without an error', () => {
    const claim = pick(claimsOf(shop, 'cancelOne'));
    const id = textOf(callOf(claim, 'cancel_pending_order'), 'order_id');
    const delivered = withRecord(shop.pack, 'orders', id, (order) => withPath(order, ['status'], 'delivered'));
    expect(findDefects(delivered, claim)).toContain(
      'cancel_pending_order is answered Error: non-pending order cannot be cancelled',
    );
  });

  it('must change something, unless it is marked as refused', () => {
    const refused = pick(claimsOf(shop, 'cancelTooLate'));
    const granted = { ...refused, goals: refused.goals.map((goal) => ({ ...goal, ending: 'served' as const })) };
    expect(findDefects(shop.pack, granted)).toEqual([
      'nothing changes and nothing is told, though the wish is allowed',
    ]);
    const served = pick(claimsOf(shop, 'cancelOne'));
    const declined = { ...served, goals: served.goals.map((goal) => ({ ...goal, ending: 'declined' as const })) };
    expect(findDefects(shop.pack, declined)).toEqual(['a wish is declined, but something changes or is told']);
  });

  it('must write nothing without a ground', () => {
    const claim = pick(claimsOf(shop, 'sumOrders'));
    const id = customerOf(claim);
    const address = recordOf(shop.pack, 'users', id).get('address') as PyDict;
    const moves = { name: 'modify_user_address', kwargs: new Map([...address, ['user_id', id]]) };
    expect(findDefects(shop.pack, { ...claim, actions: [...claim.actions, moves] })).toContain(
      'modify_user_address changes data without a ground',
    );
  });
});

describe('an airline task', () => {
  it('has no faults as it was generated', () => {
    for (const claim of Array.from(airline.kept.values()).flat()) expect(findDefects(airline.pack, claim)).toEqual([]);
  });

  it('must not have two flights that fit equally well', () => {
    const claim = pick(
      claimsOf(airline, 'bookDirect', 'bookForFriend', 'bookWithGiftCard'),
      ({ instruction }) => instruction.includes('the cheapest direct flight') && !instruction.includes('or later'),
    );
    const booking = callOf(claim, 'book_reservation');
    const [chosen] = listOf(booking, 'flights').filter(isDict);
    const flight = recordOf(airline.pack, 'flights', textOf(chosen ?? new Map(), 'flight_number'));
    const rival = withRecord(airline.pack, 'flights', 'KTW999', () => withPath(flight, ['flight_number'], 'KTW999'));
    const found = findDefects(rival, claim);
    expect(found).toContainEqual(expect.stringMatching(/^"the cheapest direct flight" fits 2 things/));
    // What it costs is the same all the same: only the flight is in doubt.
    expect(found.every((fault) => fault.includes('the cheapest direct flight'))).toBe(true);
  });

  it('must have a seat for everybody', () => {
    const claim = pick(claimsOf(airline, 'bookDirect'));
    const booking = callOf(claim, 'book_reservation');
    const [chosen] = listOf(booking, 'flights').filter(isDict);
    const number = textOf(chosen ?? new Map(), 'flight_number');
    const path = ['dates', textOf(chosen ?? new Map(), 'date'), 'available_seats', textOf(booking, 'cabin')];
    const full = withRecord(airline.pack, 'flights', number, (flight) => withPath(flight, path, 0n));
    expect(findDefects(full, claim)).toContain(
      `book_reservation is answered Error: not enough seats on flight ${number}`,
    );
  });

  it('must not describe two trips at once', () => {
    const claim = pick(claimsOf(airline, 'cancelBusiness', 'cancelInsured', 'cancelRecent'), ({ instruction }) =>
      /trip from/.test(instruction),
    );
    const id = textOf(callOf(claim, 'cancel_reservation'), 'reservation_id');
    const userId = customerOf(claim);
    const trip = recordOf(airline.pack, 'reservations', id);
    const twice = withRecord(
      withRecord(airline.pack, 'reservations', 'TWICE1', () => withPath(trip, ['reservation_id'], 'TWICE1')),
      'users',
      userId,
      (user) => withPath(user, ['reservations'], [...listOf(user, 'reservations'), 'TWICE1']),
    );
    expect(findDefects(twice, claim)).toContainEqual(
      expect.stringMatching(new RegExp(`trip from .* fits 2 things: '${id}', 'TWICE1'$`)),
    );
  });

  it('must keep what the policy allows', () => {
    const claim = pick(claimsOf(airline, 'cancelInsured'));
    const id = textOf(callOf(claim, 'cancel_reservation'), 'reservation_id');
    const bare = withRecord(airline.pack, 'reservations', id, (trip) => withPath(trip, ['insurance'], 'no'));
    expect(findDefects(bare, claim)).toEqual([`it is not true that cancelling ${id} is allowed`]);
    const refused = pick(claimsOf(airline, 'complainInVain'));
    const gold = withRecord(airline.pack, 'users', customerOf(refused), (user) =>
      withPath(user, ['membership'], 'gold'),
    );
    expect(findDefects(gold, refused)).toEqual([
      expect.stringMatching(/^it is not true that \w+ does not entitle to compensation$/),
    ]);
  });

  it('must charge every payment method what is due', () => {
    const claim = pick(claimsOf(airline, 'bookWithSplit'));
    const payments = listOf(callOf(claim, 'book_reservation'), 'payment_methods').filter(isDict);
    const reversed = withArgument(claim, 'book_reservation', 'payment_methods', [...payments].reverse());
    expect(findDefects(airline.pack, reversed)).toContainEqual(
      expect.stringMatching(/^the payment_methods of book_reservation is .*; the instruction means /),
    );
    const spelt = payments.map((payment) => withPath(payment, ['amount'], float(Number(payment.get('amount')))));
    expect(findDefects(airline.pack, withArgument(claim, 'book_reservation', 'payment_methods', spelt))).toHaveLength(
      1,
    );
  });

  it('must count the bags as the membership has it', () => {
    const claim = pick(claimsOf(airline, 'addPaidBags'));
    const gold = withRecord(airline.pack, 'users', customerOf(claim), (user) =>
      withPath(user, ['membership'], user.get('membership') === 'gold' ? 'regular' : 'gold'),
    );
    expect(findDefects(gold, claim).length).toBeGreaterThan(0);
  });

  it('must not have two people of one name', () => {
    const claim = pick(claimsOf(airline, 'bookForFriend'));
    const userId = customerOf(claim);
    const [friend] = listOf(callOf(claim, 'book_reservation'), 'passengers').filter(isDict);
    const namesake = withPath(friend ?? new Map(), ['dob'], '1900-01-01');
    const twins = withRecord(airline.pack, 'users', userId, (user) =>
      withPath(user, ['saved_passengers'], [...listOf(user, 'saved_passengers'), namesake]),
    );
    expect(findDefects(twins, claim)).toContainEqual(
      expect.stringMatching(/whom your profile remembers" fits 2 things/),
    );
  });

  it('of two goals must not depend on which comes first', () => {
    const claims = claimsOf(airline, 'complainOfCancelled');
    const claim = pick(claims);
    const [goal] = claim.goals;
    const [at = 0] = Array.from(goal?.evidence.keys() ?? []);
    const evidence = goal?.evidence.get(at) ?? {};
    const more = { argument: 7n, texts: ['something'], says: [], candidates: () => [7n] };
    const second = { name: 'send_certificate', kwargs: new Map(claim.actions[at]?.kwargs).set('amount', 7n) };
    const actions = [...claim.actions, second];
    const goals = [
      ...claim.goals,
      {
        grounds: [],
        premises: [],
        outputs: [],
        ending: 'served' as const,
        evidence: new Map([[actions.length - 1, { ...evidence, amount: more }]]),
      },
    ];
    const instruction = `${claim.instruction} You want something.`;
    expect(findDefects(airline.pack, { ...claim, instruction, actions, goals })).toEqual([
      'the order in which the goals are reached makes a difference',
    ]);
  });

  it('must end with a transfer when a person has to take over, and not otherwise', () => {
    const claim = pick(claimsOf(airline, 'cancelBegun'));
    const kept = claim.actions.filter(({ name }) => name !== 'transfer_to_human_agents');
    expect(findDefects(airline.pack, { ...claim, actions: kept })).toEqual(['0 transfers for 1 goals that need one']);
  });
});

const THOUGHT: PyDict = new Map([['thought', 'That will do.']]);

function listOf(record: PyDict, key: string) {
  const value = record.get(key) ?? null;
  return isList(value) ? value : [];
}
