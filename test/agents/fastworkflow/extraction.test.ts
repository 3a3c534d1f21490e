import { describe, expect, it } from 'vitest';
import { catalogueOf, DOMAIN_CATALOGUES } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import type { CommandDefinition } from '../../../src/agents/fastworkflow/public.ts';
import {
  commandReplyFields,
  extractParameters,
  extractionTexts,
  type RawParameters,
} from '../../../src/agents/fastworkflow/testing.ts';
import type { StrategyDefinition } from '../../../src/agents/index.ts';
import { fakeSession, OPTIONS, type FakeSession, type ScriptedReply } from '../fake-session.ts';

const replyFields = (key: string, env: string) => commandReplyFields(DOMAIN_CATALOGUES, key, env);

const strategy: StrategyDefinition = {
  name: 'extracting',
  label: 'X',
  solve: () => Promise.resolve('done'),
  texts: extractionTexts(DOMAIN_CATALOGUES),
  replyFields,
};

const { commands } = catalogueOf('retail');

function commandNamed(name: string): CommandDefinition {
  const command = catalogueOf('retail').find(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return command;
}

interface Extracted {
  readonly parameters: Record<string, unknown> | null;
  readonly session: FakeSession;
}

async function extract(
  name: string,
  statement: string,
  replies: readonly ScriptedReply[],
  found: RawParameters = new Map(),
): Promise<Extracted> {
  const session = fakeSession({ replies, strategy });
  const parameters = await extractParameters({ session }, commandNamed(name), statement, found);
  return { parameters: parameters === null ? null : Object.fromEntries(parameters), session };
}

const reply = (fields: object) => JSON.stringify({ reasoning: 'It says so.', ...fields });
const lastText = (session: FakeSession, call = 0) => session.asked[call]?.messages.at(-1)?.content ?? '';

describe('parameter extraction', () => {
  it('reads what a command says without tags in one call', async () => {
    const { parameters, session } = await extract('find_user_id_by_email', 'find_user_id_by_email a@b.co', [
      reply({ email: 'a@b.co' }),
    ]);
    expect(parameters).toEqual({ email: 'a@b.co' });
    expect(session.asked.map(({ request }) => request)).toEqual([
      expect.objectContaining({
        role: 'agent/extraction',
        format: 'json',
        replyFields: 'find_user_id_by_email',
        summary: 'extract parameters: find_user_id_by_email',
      }),
    ]);
  });

  it('shows the statement without the command’s name, wherever and however it is written', async () => {
    const { session } = await extract(
      'get_order_details',
      'get_order_details: please GET_ORDER_DETAILS of #W1 (not get_order_details2)',
      [reply({ order_id: '#W1' })],
    );
    expect(lastText(session)).toMatch(/^\[\[ ## statement ## \]\]\n: please {2}of #W1 \(not get_order_details2\)\n\n/);
  });

  it('calls no model if the text has only the name', async () => {
    const found = new Map([['order_id', '#W1']]);
    const { parameters, session } = await extract('cancel_pending_order', ' cancel_pending_order ', [], found);
    expect(parameters).toEqual({ order_id: '#W1' });
    expect(session.asked).toEqual([]);
  });

  it('calls no model for a command without parameters', async () => {
    const { parameters, session } = await extract('list_all_product_types', 'all of them', []);
    expect(parameters).toEqual({});
    expect(session.asked).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['NOT_FOUND', 'NOT_FOUND'],
    ['the same in lower case', ' not_found '],
    ['null', null],
    ['null as a text', 'null'],
    ['an empty text', ''],
    ['an empty list', []],
  ])('leaves out what is %s', async (_what, value) => {
    const { parameters } = await extract('return_delivered_order_items', 'return it', [
      reply({ order_id: '#W1', item_ids: value, payment_method_id: value }),
    ]);
    expect(parameters).toEqual({ order_id: '#W1' });
  });

  it('leaves out the items of a list that are not there', async () => {
    const { parameters } = await extract('return_delivered_order_items', 'return it', [
      reply({ order_id: '#W1', item_ids: ['NOT_FOUND', '', null] }),
    ]);
    expect(parameters).toEqual({ order_id: '#W1' });
  });

  it('keeps values from tags, whatever the model replies', async () => {
    const found = new Map([['zip', '78705']]);
    const { parameters } = await extract(
      'find_user_id_by_name_zip',
      '<first>Yusuf</first> <last>Rossi</last>',
      [reply({ first_name: 'Yusuf', last_name: 'NOT_FOUND', zip: '19122' })],
      found,
    );
    expect(parameters).toEqual({ first_name: 'Yusuf', zip: '78705' });
  });

  it.each<[string, unknown, string[]]>([
    ['texts', ['1000000001', '1000000002'], ['1000000001', '1000000002']],
    ['numbers', [1000000001, 1000000002], ['1000000001', '1000000002']],
    ['one text with commas', '1000000001, 1000000002', ['1000000001', '1000000002']],
    ['one text with spaces', '1000000001 1000000002', ['1000000001', '1000000002']],
    ['one text in brackets', '["1000000001", "1000000002"]', ['1000000001', '1000000002']],
    ['one number', 1000000001, ['1000000001']],
    ['one item', ['1000000001'], ['1000000001']],
  ])('reads a list given as %s', async (_what, value, items) => {
    const { parameters } = await extract('return_delivered_order_items', 'return them', [reply({ item_ids: value })]);
    expect(parameters).toEqual({ item_ids: items });
  });

  it('keeps an item with spaces whole where a field has no form', async () => {
    const field = { name: 'cities', description: 'where to', type: 'list', required: true } as const;
    const command: CommandDefinition = { ...commandNamed('calculate'), fields: [field] };
    const travelling: StrategyDefinition = { ...strategy, replyFields: () => [{ name: 'cities', type: 'list' }] };
    const session = fakeSession({ replies: [reply({ cities: ['New York'] })], strategy: travelling });
    const known = await extractParameters({ session }, command, 'to New York', new Map());
    expect(known).toEqual(new Map([['cities', ['New York']]]));
  });

  it('keeps the digits of ids', async () => {
    const { parameters } = await extract('get_product_details', 'the product 0012', [
      '{"reasoning": "", "product_id": 0012}',
    ]);
    expect(parameters).toEqual({ product_id: '0012' });
  });

  it('calls the model a second time, with a hint, if the reply cannot be parsed', async () => {
    const { parameters, session } = await extract('get_order_details', 'of #W1', [
      'I think it is #W1.',
      reply({ order_id: '#W1' }),
    ]);
    expect(parameters).toEqual({ order_id: '#W1' });
    expect(lastText(session, 1)).toContain('could not be read');
    expect(lastText(session, 1)).not.toBe(lastText(session, 0));
    expect(session.asked[1]?.request.summary).toBe('extract parameters: get_order_details, again');
    expect(session.counts.get('unreadable_replies')).toBe(1);
  });

  it('fails after two replies that cannot be parsed', async () => {
    const { parameters, session } = await extract('get_order_details', 'of #W1', ['#W1', null]);
    expect(parameters).toBeNull();
    expect(session.counts.get('unreadable_replies')).toBe(2);
  });
});

describe('the extraction prompt', () => {
  const context = { env: 'retail', policy: '', toolsJson: '[]', options: OPTIONS };
  const text = (key: string) => extractionTexts(DOMAIN_CATALOGUES)[`extraction/${key}`]?.(context) ?? '';

  it('describes every parameter as the command defines it', () => {
    for (const command of commands) {
      const prompt = text(command.name);
      for (const { name, description, allowed = [], examples = [] } of command.fields) {
        const line = prompt.split('\n').find((candidate) => candidate.includes(`. \`${name}\` (`)) ?? '';
        expect(line).toContain(description);
        for (const value of allowed) expect(line).toContain(`'${value}'`);
        for (const value of examples) expect(line.split('invented examples:')[1]).toContain(value);
      }
    }
  });

  it('shows allowed values, requirement, form and examples', () => {
    const prompt = text('cancel_pending_order');
    expect(prompt).toMatch(/`reason` \(text, required\): .*one of: 'no longer needed', 'ordered by mistake'/);
    expect(prompt).toMatch(/`order_id` \(text, required\): .*invented examples: #/);
    expect(prompt).toContain('NOT_FOUND');
    expect(prompt).toContain('{"reasoning": {reasoning}, "order_id": {order_id}, "reason": {reason}}');
  });

  it('ends in one paragraph whose names in back-ticks are the output fields', async () => {
    for (const attempt of ['first', 'again']) {
      const paragraph = text(`cancel_pending_order/${attempt}`);
      expect(paragraph).not.toContain('\n');
      expect([...paragraph.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(['reasoning', 'order_id', 'reason']);
    }
    const { session } = await extract('cancel_pending_order', 'cancel #W1', [reply({ order_id: '#W1' })]);
    expect(lastText(session).split('\n\n').at(-1)).toBe(text('cancel_pending_order/first'));
  });

  it('sends only the statement through the history', async () => {
    const { session } = await extract('cancel_pending_order', 'cancel #W1', [reply({ order_id: '#W1' })]);
    expect(JSON.stringify(session.asked[0]?.request.messages).length).toBeLessThan(300);
  });
});

describe('the fields of an extraction’s reply', () => {
  it('are the command’s parameters, with lists as lists', () => {
    expect(replyFields('return_delivered_order_items', 'retail')).toEqual([
      { name: 'order_id', type: 'text' },
      { name: 'item_ids', type: 'list' },
      { name: 'payment_method_id', type: 'text' },
    ]);
  });

  it.each([
    ['fly', 'retail'],
    ['calculate', 'moon'],
    ['calculate', 'constructor'],
  ])('are undefined for %s of %s', (command, env) => {
    expect(replyFields(command, env)).toBeUndefined();
  });
});
