import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCatalogue,
  type Catalogue,
  type CommandDefinition,
  type IntentClassifier,
} from '../../../src/agents/fastworkflow/public.ts';
import {
  detect,
  normaliseUtterance,
  editDistance,
  matchName,
  ACCEPT,
  FLOOR,
  MARGIN,
  rankByWords,
  type Detection,
} from '../../../src/agents/fastworkflow/testing.ts';
import { RETAIL } from './commands.ts';

function detected(
  text: string,
  learned: ReadonlyMap<string, string> = new Map(),
  classifier: IntentClassifier = rankByWords,
): Detection {
  return detect(text, { catalogue: RETAIL, learned }, classifier);
}

/** `tier name`, or what else came of it. */
function outcome(detection: Detection): string {
  switch (detection.kind) {
    case 'command':
      return `${detection.tier} ${detection.command.name}`;
    case 'core':
      return `core ${detection.name}`;
    case 'ambiguous':
      return `ambiguous ${detection.candidates.join(' ')}`;
    case 'empty':
    case 'misunderstood':
      return detection.kind;
  }
}

function catalogueOfNames(names: readonly string[]): Catalogue {
  const command = (name: string): CommandDefinition => ({
    name,
    description: '',
    utterances: [],
    fields: [],
  });
  return createCatalogue(names.map(command));
}

describe('a name', () => {
  it.each([
    ['get_order_details', 'exact', ['get_order_details']],
    ['cancel', 'prefix', ['cancel_pending_order']],
    ['calc', 'prefix', ['calculate']],
    ['get', 'prefix', ['get_order_details', 'get_product_details', 'get_user_details']],
    ['get_order', 'prefix', ['get_order_details']],
    ['get_order_detial', 'fuzzy', ['get_order_details']],
    ['calculator', 'fuzzy', ['calculate']],
    ['getorderdetails', 'fuzzy', ['get_order_details']],
    ['`cancel_pending_order`', 'fuzzy', ['cancel_pending_order']],
    ['return-delivered-order-items', 'fuzzy', ['return_delivered_order_items']],
  ])('is found for %s by its %s form', (token, tier, names) => {
    expect(matchName(RETAIL, token)).toEqual({ tier, names });
  });

  it.each(['ge', 'details', 'think', 'can', 'the', '', '#w1', 'joke'])('is not found for %s', (token) => {
    expect(matchName(RETAIL, token)).toBeNull();
  });

  it('has all commands that are equally near', () => {
    const near = catalogueOfNames(['book_flight_a', 'book_flight_b', 'cancel']);
    expect(matchName(near, 'book_flight_c')).toEqual({ tier: 'fuzzy', names: ['book_flight_a', 'book_flight_b'] });
  });

  it('is nearer if fewer letters differ', () => {
    expect(editDistance('abc', 'abc')).toBe(0);
    expect(editDistance('abcd', 'abce')).toBe(0.25);
    expect(editDistance('abc', 'xyz')).toBe(1);
    expect(editDistance('abcd', 'abxy', 0.3)).toBe(1);
    expect(editDistance('', '')).toBe(0);
  });
});

describe('the ladder', () => {
  it.each([
    ['GET_ORDER_DETAILS <order_id>#W1</order_id>', 'exact get_order_details'],
    ['get_order_details(#W1)', 'exact get_order_details'],
    ['get_order <order_id>#W1</order_id>', 'prefix get_order_details'],
    ['get_order_detial <order_id>#W1</order_id>', 'fuzzy get_order_details'],
    ['get order details for #W1', 'ranked get_order_details'],
    ['what_can_i_do', 'core what_can_i_do'],
    ['What can I do?', 'core what_can_i_do'],
    ['What can you do?', 'core what_can_i_do'],
    ['intent_misunderstood', 'core intent_misunderstood'],
    ['abort', 'core abort'],
    ['  \n ', 'empty'],
  ])('finds %s as %s', (text, expected) => {
    expect(outcome(detected(text))).toBe(expected);
  });

  it.each([
    ['cancel <order_id>#W1</order_id>', 'cancel_pending_order'],
    ['cancel_pending_ordre <order_id>#W1</order_id> <reason>no longer needed</reason>', 'cancel_pending_order'],
    ['cancel pending order <order_id>#W1</order_id> <reason>no longer needed</reason>', 'cancel_pending_order'],
    ['cancel my order #W1, I no longer need it', 'cancel_pending_order'],
    ['modify the shipping address of order #W1', 'modify_pending_order_address'],
    ['modify <order_id>#W1</order_id> payment', 'modify_pending_order_payment'],
    ['I want to exchange some items in my pending order', 'exchange_delivered_order_items'],
    ['transfer the user to a human', 'transfer_to_human_agents'],
  ])('only suggests a command that writes if the text lacks its name: %s', (text, likely) => {
    const detection = detected(text);
    expect(detection.kind === 'ambiguous' && detection.candidates).toContain(likely);
  });

  it.each([
    'I want to cancel the order, so: cancel_pending_order <order_id>#W1</order_id>',
    '**cancel_pending_order**\n- order_id: #W1',
    'Please run:\ncancel_pending_order <order_id>#W1</order_id>',
  ])('prefers an exact name anywhere in the text: %s', (text) => {
    expect(outcome(detected(text))).toBe('exact cancel_pending_order');
  });

  it('suggests all commands that share the written beginning', () => {
    const detection = detected('get');
    expect(detection.kind === 'ambiguous' ? [...detection.candidates].sort() : detection).toEqual([
      'get_order_details',
      'get_product_details',
      'get_user_details',
    ]);
  });

  it('does not let the first word of a sentence outweigh all others', () => {
    expect(outcome(detected('transfer the payment to my gift card'))).toMatch(
      /^ambiguous .*modify_pending_order_payment.* transfer_to_human_agents$/,
    );
  });

  it("remembers an utterance's clarification for other values too", () => {
    const learned = new Map([
      [normaliseUtterance('show me #W1000001'), 'get_order_details'],
      [normaliseUtterance('get'), 'get_user_details'],
    ]);
    expect(outcome(detected('Show me  #W2', learned))).toBe('learned get_order_details');
    expect(outcome(detected('get', learned))).toBe('learned get_user_details');
    expect(outcome(detected('get_product_details', learned))).toBe('exact get_product_details');
    expect(outcome(detected('show me the weather', learned))).not.toMatch(/^learned/);
  });

  it('reads parameters from all words where none of them is a name', () => {
    expect(detected('look up the order #W1')).toMatchObject({ tier: 'ranked', rest: 'look up the order #W1' });
    expect(detected('get_order for #W1')).toMatchObject({ tier: 'prefix', rest: ' for #W1' });
  });

  it('ignores commands that a classifier invents', () => {
    const ranking = (...confidences: readonly (readonly [string, number])[]) => {
      const classifier = () => confidences.map(([name, confidence]) => ({ name, confidence }));
      return outcome(detected('hm', new Map(), classifier));
    };
    expect(ranking(['fly', 1], ['calculate', 0.9])).toBe('ranked calculate');
    expect(ranking(['calculate', Number.NaN], ['get_user_details', 0.9])).toBe('ranked get_user_details');
    expect(ranking()).toBe('misunderstood');
  });

  it('accepts, suggests or rejects commands by their probability', () => {
    const ranking = (first: number, second: number) =>
      outcome(
        detected('hm', new Map(), () => [
          { name: 'calculate', confidence: second },
          { name: 'get_user_details', confidence: first },
        ]),
      );
    expect(ranking(ACCEPT, ACCEPT - MARGIN - 0.01)).toBe('ranked get_user_details');
    expect(ranking(0.9, 0.9 - MARGIN + 0.01)).toBe('ambiguous get_user_details calculate');
    expect(ranking(ACCEPT - 0.01, 0)).toBe('ambiguous get_user_details');
    expect(ranking(FLOOR - 0.01, 0)).toBe('misunderstood');
  });
});

describe('an utterance’s normal form', () => {
  it.each([
    ['Show me   order #W1000001.', 'show me order <id>'],
    ['user a_b_12, please!', 'user <id> please'],
    ['mail a@b.co', 'mail <id>'],
    ['(get)', 'get'],
  ])('of %s is %s', (utterance, expected) => {
    expect(normaliseUtterance(utterance)).toBe(expected);
  });

  it('is its own normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const normal = normaliseUtterance(text);
        expect(normaliseUtterance(normal)).toBe(normal);
      }),
    );
  });
});

describe('any text', () => {
  const WORDS = RETAIL.commands.flatMap(({ utterances, name }) => [...utterances.join(' ').split(' '), name]);
  const TEXT = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom(...WORDS, '<a>', '</a>', '"', '(', '\n', 'abort'), { maxLength: 12 })
      .map((w) => w.join(' ')),
  );

  it('gives the same result each time, without an error', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(detected(text)).toEqual(detected(text));
      }),
    );
  });

  it('belongs to the exact name before it, in any catalogue', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, selector: (text) => text.toLowerCase() }),
        fc.nat(),
        TEXT,
        (names, pick, rest) => {
          const chosen = names[pick % names.length] ?? '';
          const knowledge = { catalogue: catalogueOfNames(names), learned: new Map() };
          const detection = detect(`${chosen.toUpperCase()} ${rest}`, knowledge, rankByWords);
          expect(outcome(detection)).toBe(`exact ${chosen}`);
        },
      ),
    );
  });

  it('gets confidences from 0 to 1, the likeliest first', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const confidences = rankByWords(text, RETAIL).map(({ confidence }) => confidence);
        expect(confidences).toHaveLength(RETAIL.commands.length);
        expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
        for (const confidence of confidences) {
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
