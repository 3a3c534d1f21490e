/** A command that may be corrected: `parameterTries` above 1. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  transition,
  START,
  splitValues,
  type Clarification,
  type CmeEffect,
  type CmeEvent,
  type CmeStage,
  type CmeStep,
} from '../../../src/agents/fastworkflow/testing.ts';
import { RETAIL } from './commands.ts';
import { context, take, clarify, extracted, result, kinds } from './machine-steps.ts';

describe('intent detection', () => {
  it('goes straight to a plan for a command in the exact syntax', () => {
    const step = take('GET_ORDER_DETAILS <order_id>W1</order_id>');
    expect(step).toEqual({
      stage: START,
      effect: {
        kind: 'done',
        plan: { kind: 'plan', commandName: 'get_order_details', cmdParameters: new Map([['order_id', '#W1']]) },
      },
      notes: [{ kind: 'recognised', tier: 'exact', commandName: 'get_order_details' }],
    });
  });

  it('answers commands about commands, and an empty one, without a call', () => {
    expect(result(take('what_can_i_do'))).toMatchObject({ kind: 'handled', answer: { kind: 'catalogue' } });
    expect(result(take('intent_misunderstood'))).toMatchObject({ kind: 'handled', answer: { kind: 'catalogue' } });
    expect(result(take('abort'))).toMatchObject({ kind: 'handled', answer: { text: 'command aborted' } });
    expect(result(take('  '))).toMatchObject({ kind: 'handled', commandName: '' });
    for (const text of ['what_can_i_do', 'abort', '']) expect(take(text)).toMatchObject({ stage: START, notes: [] });
  });

  it('asks the clarifier which of several commands is meant, and names exactly these', () => {
    const step = take('get');
    const names = ['get_order_details', 'get_product_details', 'get_user_details'];
    expect(step.stage.stage).toBe('intent_ambiguity_clarification');
    expect(step.effect).toMatchObject({ kind: 'ask_clarifier', text: 'get' });
    const { candidates, message } = step.effect as Extract<CmeEffect, { kind: 'ask_clarifier' }>;
    expect([...(candidates ?? [])].sort()).toEqual(names);
    for (const { name } of RETAIL.commands) expect(message.includes(name)).toBe(names.includes(name));
  });

  it('asks the clarifier what is meant at all, and names all commands', () => {
    const step = take('tell me a joke');
    expect(step.stage.stage).toBe('intent_misunderstanding_clarification');
    expect(step.effect).toMatchObject({ kind: 'ask_clarifier', candidates: null });
    expect(kinds(step)).toEqual(['misunderstood']);
    const { message } = step.effect as Extract<CmeEffect, { kind: 'ask_clarifier' }>;
    for (const { name } of RETAIL.commands) expect(message).toContain(name);
  });

  describe('with a model as ranker', () => {
    const llm = context({ intentRanker: 'llm' });
    const rank = (step: CmeStep, ranking: Record<string, number> | null) => {
      const { text, among } = step.effect as Extract<CmeEffect, { kind: 'ask_ranker' }>;
      const ranked = ranking && Object.entries(ranking).map(([name, confidence]) => ({ name, confidence }));
      return transition(step.stage, { kind: 'ranked', text, among, ranking: ranked }, llm);
    };

    it('asks it for words that name no command, and for none other', () => {
      expect(take('nix it', START, llm).effect).toEqual({ kind: 'ask_ranker', text: 'nix it', among: null });
      expect(take('get', START, llm).effect).toMatchObject({ kind: 'ask_ranker' });
      for (const text of ['list_all_product_types', 'list_all', 'list_all_product_tpyes', 'abort']) {
        expect(take(text, START, llm).effect.kind).toBe('done');
      }
    });

    it('uses its ranking', () => {
      expect(kinds(rank(take('nix it', START, llm), { get_order_details: 0.9 }))).toContain('recognised');
      const write = rank(take('nix it', START, llm), { cancel_pending_order: 0.9 });
      expect(write.effect).toMatchObject({ kind: 'ask_clarifier', candidates: ['cancel_pending_order'] });
      const torn = rank(take('nix it', START, llm), { cancel_pending_order: 0.5, calculate: 0.49 });
      expect(torn.effect).toMatchObject({ candidates: ['cancel_pending_order', 'calculate'] });
      expect(kinds(rank(take('nix it', START, llm), {}))).toEqual(['misunderstood']);
    });

    it('falls back on the classifier when its replies cannot be read', () => {
      const step = rank(take('look up the order #W1', START, llm), null);
      expect(step.notes[0]).toMatchObject({ tier: 'ranked', commandName: 'get_order_details' });
    });
  });
});

describe('clarification', () => {
  const look = 'get_user_details <user_id>a_b_1</user_id>';

  it.each(['get', 'tell me a joke'])(
    'of %s runs the command as the clarifier wrote it, and learns the wording',
    (text) => {
      const step = clarify(take(text), { command: look });
      expect(result(step)).toMatchObject({ kind: 'plan', cmdParameters: new Map([['user_id', 'a_b_1']]) });
      expect(step).toMatchObject({
        stage: START,
        notes: [
          { kind: 'recognised', tier: 'clarified', commandName: 'get_user_details' },
          { kind: 'learned', utterance: text, commandName: 'get_user_details' },
        ],
      });
    },
  );

  it('accepts a mistyped name, and a command about commands', () => {
    expect(result(clarify(take('get'), { command: look.replace('details', 'detials') }))).toMatchObject({
      kind: 'plan',
    });
    expect(result(clarify(take('get'), { command: 'what_can_i_do' }))).toMatchObject({ kind: 'handled' });
  });

  it.each([
    [
      'needs the customer',
      { needsHuman: true, question: 'Which order?' },
      'Use ask_user with this question: Which order?',
    ],
    ['needs the customer, but wrote a command', { needsHuman: true, command: look }, 'Use ask_user to find out'],
    ['writes no command', {}, 'Use ask_user to find out'],
    ['writes an unknown command', { command: 'fly_to_moon' }, 'Use ask_user to find out'],
    ['writes but the beginning of a name', { command: 'get' }, 'Use ask_user to find out'],
    ['cannot be read', null, 'Use ask_user to find out'],
  ])('escalates once when the clarifier %s, and the next command is unaffected', (_, clarification, directive) => {
    const step = clarify(take('get'), clarification);
    expect(step.stage).toEqual(START);
    expect(kinds(step)).toEqual(['escalated']);
    const plan = result(step);
    expect(plan).toMatchObject({ kind: 'clarification' });
    expect(plan.kind === 'clarification' && [...plan.candidates].sort()).toHaveLength(3);
    expect(plan.kind === 'clarification' && plan.message).toContain(directive);
    expect(result(take(look, step.stage))).toMatchObject({
      kind: 'plan',
      cmdParameters: new Map([['user_id', 'a_b_1']]),
    });
  });

  it('returns the error text with an instruction if there is no question', () => {
    const plan = result(clarify(take('tell me a joke'), null));
    expect(plan.kind === 'clarification' && plan.message).toContain("No command is understood from 'tell me a joke'");
  });

  it('asks for the parameters that the clarified command lacks', () => {
    const step = clarify(take('get'), { command: 'get_user_details of a_b_1' });
    expect(step.effect).toMatchObject({ kind: 'ask_extraction', statement: 'of a_b_1' });
    expect(result(extracted(step, { user_id: 'a_b_1' }))).toMatchObject({ kind: 'plan' });
  });

  it('does not affect the next command if it is aborted', () => {
    const midway = take('get');
    expect(result(take(look, midway.stage))).toMatchObject({ kind: 'plan' });
  });
});

describe('parameter extraction', () => {
  it('calls a model only if a parameter is missing and there is a text to read it from', () => {
    expect(take('get_order_details(#W1)').effect).toMatchObject({ kind: 'ask_extraction', statement: '#W1' });
    expect(result(take('get_order_details'))).toMatchObject({ kind: 'error', commandName: 'get_order_details' });
    expect(result(take('get_order_details <order_id>#W-1</order_id> please'))).toMatchObject({ kind: 'error' });
    expect(result(take('list_all_product_types of yours'))).toMatchObject({ kind: 'plan' });
  });

  it('keeps values from tags, whatever the model replies', () => {
    const text = 'find_user_id_by_name_zip <first>Ann</first> <last>Lee</last> <zip>00501</zip>';
    const step = take(text);
    expect(step.effect).toMatchObject({ kind: 'ask_extraction', found: new Map([['zip', '00501']]) });
    expect(result(extracted(step, { first_name: 'Ann', last_name: 'Lee', zip: '99999' }))).toMatchObject({
      kind: 'plan',
      cmdParameters: new Map([
        ['first_name', 'Ann'],
        ['last_name', 'Lee'],
        ['zip', '00501'],
      ]),
    });
    for (const nothing of [{}, null]) {
      const failed = result(extracted(step, nothing));
      expect(failed.kind === 'error' && failed.message).toContain('Missing parameter values: first_name, last_name');
      expect(failed.kind === 'error' && failed.message).toContain('Zip: 00501');
    }
  });

  it('aborts a command at once by default', () => {
    const step = take('cancel_pending_order <order_id>#W1</order_id>');
    expect(step).toMatchObject({ stage: START, effect: { plan: { kind: 'error' } } });
    expect(kinds(step)).toEqual(['recognised', 'parameter_error']);
    expect(result(step)).not.toHaveProperty('correctable');
  });

  it('counts values that equal examples', () => {
    const text = 'cancel_pending_order <order_id>#W9</order_id> <reason>no longer needed</reason>';
    expect(take(text).notes).toContainEqual({ kind: 'example_values', values: 1 });
  });
});

describe('the machine', () => {
  it('refuses unrequested answers', () => {
    expect(() => transition(START, { kind: 'extracted', parameters: null }, context())).toThrow('has not asked');
    expect(() => transition(START, { kind: 'clarified', clarification: null }, context())).toThrow('has not asked');
    const stage = take('get').stage;
    expect(() => transition(stage, { kind: 'ranked', text: '', among: null, ranking: null }, context())).toThrow();
  });

  const TEXT = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'get',
      'show me #W1',
      'tell me a joke',
      'abort',
      '',
      'no longer needed, #W1',
      'get_order_details #W1',
    ),
    fc.constantFrom(...RETAIL.commands.map(({ name }) => `${name} <order_id>#W1</order_id> it`)),
  );
  const RAW = fc.dictionary(fc.constantFrom('order_id', 'reason', 'user_id', 'x'), fc.string());
  const CONTEXT = fc.record({
    parameterTries: fc.integer({ min: 0, max: 3 }),
    intentRanker: fc.constantFrom('trained' as const, 'lexical' as const, 'llm' as const),
  });
  const ANSWERS = fc.record({
    ranking: fc.option(
      fc.array(
        fc.record({
          name: fc.constantFrom('calculate', 'get_user_details', 'nope'),
          confidence: fc.double({ min: 0, max: 1 }),
        }),
      ),
    ),
    clarification: fc.option(fc.record({ command: TEXT, needsHuman: fc.boolean(), question: fc.string() })),
    parameters: fc.option(RAW),
  });

  it('ends every command within three questions, ready for the next or waiting for a correction', () => {
    fc.assert(
      fc.property(CONTEXT, fc.array(fc.tuple(TEXT, ANSWERS), { minLength: 1, maxLength: 5 }), (options, commands) => {
        const given = context(options);
        let stage: CmeStage = START;
        for (const [text, answers] of commands) {
          const asked: string[] = [];
          let event: CmeEvent = { kind: 'command', text };
          for (;;) {
            const step: CmeStep = transition(stage, event, given);
            stage = step.stage;
            const { effect } = step;
            if (effect.kind === 'done') break;
            asked.push(effect.kind);
            event = answerTo(effect, answers);
          }
          expect(asked).toEqual(
            ['ask_ranker', 'ask_clarifier', 'ask_extraction'].filter((kind) => asked.includes(kind)),
          );
          if (stage.stage === 'parameter_extraction') {
            expect(stage.awaits.kind).toBe('correction');
            expect(stage.triesLeft).toBeLessThan(options.parameterTries);
            expect(stage.triesLeft).toBeGreaterThan(0);
          } else {
            expect(stage).toEqual(START);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

interface Answers {
  readonly ranking: readonly { readonly name: string; readonly confidence: number }[] | null;
  readonly clarification: Clarification | null;
  readonly parameters: Readonly<Record<string, string>> | null;
}

function answerTo(effect: Exclude<CmeEffect, { kind: 'done' }>, answers: Answers): CmeEvent {
  switch (effect.kind) {
    case 'ask_ranker':
      return { kind: 'ranked', text: effect.text, among: effect.among, ranking: answers.ranking };
    case 'ask_clarifier':
      return { kind: 'clarified', clarification: answers.clarification };
    case 'ask_extraction':
      return { kind: 'extracted', parameters: answers.parameters && new Map(Object.entries(answers.parameters)) };
  }
}

describe('a command with more than one try', () => {
  const given = context({ parameterTries: 3 });
  const first = take('cancel_pending_order <order_id>#W-1</order_id>', START, given);
  const again = (text: string, from: CmeStep = first) => take(text, from.stage, given);

  it('can be corrected, and its error text explains how', () => {
    expect(first.stage).toMatchObject({ stage: 'parameter_extraction', triesLeft: 2 });
    const plan = result(first);
    expect(plan).toMatchObject({ kind: 'error', correctable: true });
    expect(plan.kind === 'error' && plan.message).toContain('It is enough to give reason, order_id now');
  });

  it.each([
    'no longer needed, #W1',
    '"no longer needed", W1',
    '<order_id>#W1</order_id> <reason>no longer needed</reason>',
  ])('accepts %s', (text) => {
    expect(again(text)).toMatchObject({ stage: START });
    expect(result(again(text))).toMatchObject({
      kind: 'plan',
      cmdParameters: new Map([
        ['order_id', '#W1'],
        ['reason', 'no longer needed'],
      ]),
    });
  });

  it('keeps the values of earlier corrections, and ends with the last try', () => {
    const second = again('<reason>ordered by mistake</reason>');
    expect(result(second)).toMatchObject({ kind: 'error', correctable: true });
    expect(result(again('#W1', second))).toMatchObject({ kind: 'plan' });
    const third = again('#W-2', second);
    expect(third).toMatchObject({ stage: START });
    expect(result(third)).not.toHaveProperty('correctable');
  });

  it('keeps one value with commas whole if only one is missing', () => {
    const open = take('transfer_to_human_agents', START, given);
    expect(result(again('Angry, tired, wants out', open))).toMatchObject({
      kind: 'plan',
      cmdParameters: new Map([['summary', 'Angry, tired, wants out']]),
    });
  });

  it('accepts a value that begins like a command', () => {
    const open = take('transfer_to_human_agents', START, given);
    for (const summary of ['Cancel everything, he says', 'list of all that he wants', 'get']) {
      expect(result(again(summary, open))).toMatchObject({
        kind: 'plan',
        commandName: 'transfer_to_human_agents',
        cmdParameters: new Map([['summary', summary]]),
      });
    }
  });

  it('is ended by an exact command and by abort', () => {
    expect(result(again('list_all_product_types'))).toMatchObject({ commandName: 'list_all_product_types' });
    expect(again('abort')).toMatchObject({ stage: START, effect: { plan: { kind: 'handled' } } });
  });

  it('does not count an empty text as a try', () => {
    expect(again(' ').stage).toEqual(first.stage);
  });

  it('splits values at commas outside of brackets and quotes', () => {
    expect(splitValues('a, [1, 2], "b, c", d')).toEqual(['a', '[1, 2]', '"b, c"', 'd']);
  });
});
