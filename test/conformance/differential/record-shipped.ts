/**
 * Records what the Python reference answers on the shipped packs, to be run again when they change:
 *
 *     TAU_BENCH_DIR=… npx tsx test/conformance/differential/record-shipped.ts
 *
 * The ground truth of every task; random sequences on the packs and on variants of them, in which prices are negative,
 * zero or need rounding; every order with each way to pay, one after the other; and changes of planes overnight.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

import { dumpJson, parseJson, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { field, items, readAction, text } from '../../benchmarks/helpers.ts';
import { entriesOf, idsOf, sequences, type CallsOf } from './calls.ts';
import { DOMAINS } from './compare.ts';
import { ReferenceProcess, whyNoReference, type ReferenceRun, type SentAction } from './reference-process.ts';
import { packFolder, recordingFile, RICH, shippedTables, type RecordedSequence } from './shipped.ts';
import { expressions } from './texts.ts';

const SEED = 20_240_515;
/** Variants of each domain's tables. */
const VARIANTS = [0, 1, 2, 3, RICH];
const SEQUENCES_PER_VARIANT = 120;
const EXPRESSIONS = 300;
/** Orders, half of them pending. */
const ORDERS_PER_VARIANT = 20;
const USERS = 6;
/** Pairs of flights of each variant. */
const NIGHTS = 8;

function* sequencesOf(domain: string, calls: CallsOf, variant: number): Generator<readonly SentAction[]> {
  const tables = shippedTables(domain, calls, variant);
  if (variant === 0) {
    for (const split of ['test', 'dev']) yield* groundTruth(domain, split);
    const drawn = fc.sample(expressions, { seed: SEED, numRuns: EXPRESSIONS });
    // The last digit of a power with a fraction is the machine's.
    const exact = drawn.filter((expression) => !/\*\*.*[./]/.test(expression));
    yield exact.map((expression) => ({ name: 'calculate', kwargs: JSON.stringify({ expression }) }));
  }
  if (domain === 'retail') yield* everyPayment(tables);
  if (domain === 'airline') yield* overnight(tables);
  const users = idsOf(tables, 'users');
  const few = Array.from({ length: USERS }, (_, at) => users[(variant * USERS + at) % users.length] ?? '');
  // Few users, so that calls meet what earlier ones have written.
  const sample = calls.sample(tables, few);
  yield* fc.sample(sequences(calls, sample), { seed: SEED + variant, numRuns: SEQUENCES_PER_VARIANT });
}

function* groundTruth(domain: string, split: string): Generator<readonly SentAction[]> {
  const tasks = items(parseJson(readFileSync(join(packFolder(domain), `tasks-${split}.json`), 'utf8')));
  for (const task of tasks) {
    yield items(field(task, 'actions')).map((value) => {
      const { name, kwargs } = readAction(value);
      return { name, kwargs: dumpJson(kwargs) };
    });
  }
}

/** Orders in every state, with every way to pay: changed, paid otherwise twice, and canceled or sent back. */
function* everyPayment(tables: PyDict): Generator<readonly SentAction[]> {
  for (const status of ['pending', 'delivered']) {
    const orders = entriesOf(tables, 'orders').filter(([, order]) => field(order, 'status') === status);
    for (const [orderId, order] of orders.slice(0, ORDERS_PER_VARIANT / 2)) {
      const userId = text(field(order, 'user_id'));
      const methods = idsOf(field(field(tables, 'users'), userId), 'payment_methods');
      // From the last to the first: some answers sort them.
      const owned = [...items(field(order, 'items'))].reverse();
      const ids = owned.map((item) => field(item, 'item_id'));
      const others = owned.map((item) => dearest(field(field(tables, 'products'), text(field(item, 'product_id')))));
      const user = call('get_user_details', { user_id: userId });
      const cancel = call('cancel_pending_order', { order_id: orderId, reason: 'no longer needed' });
      for (const method of methods) {
        const paid = { order_id: orderId, payment_method_id: method };
        if (status === 'pending') {
          const pay = (id: string) =>
            call('modify_pending_order_payment', { order_id: orderId, payment_method_id: id });
          yield [pay(method), user, ...methods.map(pay), cancel, user];
          yield [call('modify_pending_order_items', { ...paid, item_ids: ids, new_item_ids: others }), cancel, user];
        } else {
          yield [call('return_delivered_order_items', { ...paid, item_ids: ids }), user];
          yield [call('exchange_delivered_order_items', { ...paid, item_ids: ids, new_item_ids: others }), user];
        }
      }
    }
  }
}

/** Searches over midnight, whose second flight is shown with the prices of the first one's date. */
function* overnight(tables: PyDict): Generator<readonly SentAction[]> {
  const flights = entriesOf(tables, 'flights').map(([, flight]) => flight);
  const arrival = (flight: PyValue) => text(field(flight, 'scheduled_arrival_time_est'));
  const late = flights.filter((flight) => arrival(flight).includes('+1'));
  const pairs = late.flatMap((one) =>
    flights
      .filter((two) => field(two, 'origin') === field(one, 'destination'))
      .filter((two) => arrival(one) <= text(field(two, 'scheduled_departure_time_est')))
      .map((two) => [one, two] as const),
  );
  for (const [one, two] of pairs.slice(0, NIGHTS)) {
    const route = { origin: field(one, 'origin'), destination: field(two, 'destination') };
    // From the 10th on, for the reference writes the day after the 9th as it likes.
    const dates = entriesOf(one, 'dates').map(([date]) => date);
    const searched = dates.filter((date) => date.slice(-2) >= '10').slice(0, 6);
    yield searched.map((date) => call('search_onestop_flight', { ...route, date }));
  }
}

/** The id of the last variant that can be had; of the last one where none can. */
function dearest(product: PyValue): string {
  const variants = entriesOf(product, 'variants');
  const available = variants.filter(([, variant]) => field(variant, 'available') === true);
  return (available.at(-1) ?? variants.at(-1))?.[0] ?? '';
}

function call(name: string, kwargs: Readonly<Record<string, PyValue>>): SentAction {
  return { name, kwargs: dumpJson(new Map(Object.entries(kwargs))) };
}

/** The text of pydantic's exception names pydantic's version. */
function withoutMessages({ steps, hash }: ReferenceRun): ReferenceRun {
  return { steps: steps.map((step) => ('raised' in step ? { raised: step.raised } : step)), hash };
}

async function record(reference: ReferenceProcess, domain: string, calls: CallsOf): Promise<void> {
  const lines: string[] = [];
  for (const variant of VARIANTS) {
    await reference.open(domain, dumpJson(shippedTables(domain, calls, variant)));
    for (const actions of sequencesOf(domain, calls, variant)) {
      const recorded: RecordedSequence = { variant, actions, run: withoutMessages(await reference.run(actions)) };
      lines.push(JSON.stringify(recorded));
    }
  }
  const zipped = gzipSync(`${lines.join('\n')}\n`, { level: 9 });
  writeFileSync(recordingFile(domain), zipped);
  process.stdout.write(`${domain}: ${String(lines.length)} sequences, ${String(zipped.length)} bytes\n`);
}

const reason = whyNoReference();
if (reason !== null) {
  process.stderr.write(`There is nothing to record: ${reason}.\n`);
  process.exitCode = 2;
} else {
  const reference = new ReferenceProcess();
  try {
    for (const [domain, calls] of DOMAINS) await record(reference, domain, calls);
  } finally {
    reference.end();
  }
}
