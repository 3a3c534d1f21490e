/** Each condition by itself: deterministic, bounded, and undone where a call reaches the benchmark. */

import { describe, expect, it } from 'vitest';
import { findPack } from '../episode/stage.ts';
import { nameFacts } from '../../src/models/prompts/index.ts';
import {
  CONDITIONS,
  drawUnit,
  findCondition,
  parseCondition,
  rename,
  renameInAnswer,
  renameInText,
  invert,
  type CallPlace,
  type Condition,
  type TakenCall,
} from '../../src/conditions/testing.ts';

function condition(name: string): Condition {
  const found = findCondition({ name });
  if (found === undefined) throw new Error(`no condition ${name}`);
  return found;
}

function place(position: number, { rate = 1, earlier = [] as readonly TakenCall[], seed = 10 } = {}): CallPlace {
  return {
    ...{ seed, taskId: 3, trial: 0, position, rate, earlier },
    draw: (words) => drawUnit(`${seed}/3/0/${position}/${words}`),
    at: (other) => place(other, { rate, earlier, seed }),
  };
}

const CALL = { name: 'cancel_order', argumentsJson: '{"order_id": "#W1"}' };

describe('parseCondition', () => {
  it.each([
    ['tool-errors', { name: 'tool-errors' }],
    ['tool-errors=0.35', { name: 'tool-errors', rate: 0.35 }],
    ['user:claims', { name: 'user-claims' }],
  ])('reads %s', (text, parsed) => {
    expect(parseCondition(text)).toEqual(parsed);
  });

  it.each(['tool-errors=0', 'tool-errors=1.5', 'tool-errors=a', 'tool-errors=0.1=0.2', 'renamed-tools=1', 'hail', ''])(
    'answers %j with one sentence',
    (text) => {
      expect(parseCondition(text)).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('has each name once, in the form that files and workflow ids have', () => {
    const names = CONDITIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
  });
});

describe('tool-errors', () => {
  const { call } = condition('tool-errors');

  it('refuses a share of the calls that is the rate', () => {
    const refused = Array.from({ length: 4_000 }, (_, at) => call?.(CALL, place(at + 1, { rate: 0.2 }))).filter(
      (fate) => fate !== undefined,
    );
    expect(refused.length / 4_000).toBeCloseTo(0.2, 1);
  });

  it('carries out a call that has failed before', () => {
    const first = call?.(CALL, place(1));
    expect(first?.instead).toMatch(/^Error: cancel_order is temporarily unavailable/);
    const earlier = [{ ...CALL, answer: first?.instead ?? '', isExecuted: false }];
    expect(call?.(CALL, place(2, { earlier }))).toBeUndefined();
    expect(call?.({ ...CALL, argumentsJson: '{}' }, place(2, { earlier }))).toBeDefined();
  });
});

describe('slow-tools', () => {
  it('waits for a bounded time', () => {
    const waits = Array.from(
      { length: 500 },
      (_, at) => condition('slow-tools').call?.(CALL, place(at + 1))?.waitMs ?? 0,
    );
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(20_000);
  });
});

describe('noisy-results', () => {
  const { observation, call } = condition('noisy-results');
  const noisy = (answer: string, position = 1) => observation?.(answer, place(position)) ?? '';

  it('adds fields, and keeps the others as they were spelled', () => {
    const result = noisy('{"total": 131.0, "items": [1, 2, 3]}');
    expect(result).toMatch(
      /^\{"_request": "r-[0-9a-f]+", "_served_by": "node-\d+", "_elapsed_ms": \d+, "total": 131.0/,
    );
    expect(result).toContain('"items": [1, 2, 3]');
    expect(noisy('Error: order not found')).toBe('Error: order not found');
  });

  it('changes the order of a list, the same way each time', () => {
    const list = JSON.stringify(Array.from({ length: 30 }, (_, at) => at));
    expect(noisy(list)).toBe(noisy(list));
    expect(noisy(list)).not.toBe(noisy(list, 2));
    expect((JSON.parse(noisy(list)) as number[]).sort((a, b) => a - b)).toEqual(JSON.parse(list));
  });

  it('shows all of a long result to an agent that reads on as the note says', () => {
    const answer = JSON.stringify({ text: 'x'.repeat(7_000) });
    const earlier = [{ ...CALL, answer, isExecuted: true }];
    let shown = noisy(answer);
    let all = '';
    for (let position = 2; ; position++) {
      const note = /\n\[.*call (\w+) with (\{.*\})\.\]$/s.exec(shown);
      all += note === null ? shown : shown.slice(0, note.index);
      if (note === null) break;
      const [, name = '', argumentsJson = ''] = note;
      shown = call?.({ name, argumentsJson }, place(position, { earlier }))?.instead ?? '';
    }
    expect(all).toContain(`"text": "${'x'.repeat(7_000)}"}`);
    expect(all.startsWith('{"_request"')).toBe(true);
  });

  it.each([
    '{}',
    '{"result": 2, "from": 0}',
    '{"result": 1, "from": 9000}',
    '{"result": 1, "from": -5}',
    'no JSON',
    '[1]',
  ])('answers %s with an error', (argumentsJson) => {
    const earlier = [{ ...CALL, answer: '{}', isExecuted: true }];
    expect(call?.({ name: 'read_more_of_result', argumentsJson }, place(2, { earlier }))?.instead).toMatch(/^Error: /);
  });
});

describe('renamed-tools', () => {
  const tool = (name: string, ...parameters: string[]) => ({
    type: 'function' as const,
    function: {
      name,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
      },
    },
  });
  const tools = [
    tool('get_order_details', 'order_id'),
    tool('modifyUserAddress', 'user_id', 'address1'),
    tool('frobnicate', 'quux'),
    tool('fetch_purchase', 'order'),
  ];
  const facts = {
    tools,
    fields: ['order_id', 'items', 'payment_history'],
    values: ['gift_card', 'pending', 'payment'],
  };
  const namesOf = (seed: number) => {
    const draw = (words: string) => drawUnit(`${seed}/${words}`);
    return condition('renamed-tools').names?.(facts, { seed, draw }) ?? {};
  };

  it.each([1, 2, 3, 4, 5])('gives every tool and parameter another name, and finds each again (seed %i)', (seed) => {
    const names = namesOf(seed);
    const all = ['get_order_details', 'modifyUserAddress', 'frobnicate', 'order_id', 'user_id', 'address1', 'quux'];
    const others = all.map((name) => rename(name, names));
    for (const [at, other] of others.entries()) {
      expect(other).not.toBe(all[at]);
      expect(rename(other, invert(names))).toBe(all[at]);
    }
    expect(new Set(others).size).toBe(all.length);
    expect(Object.values(names)).not.toContain('fetch');
    expect(Object.values(names)).not.toContain('purchase');
  });

  it.each(['retail', 'airline'])('finds every name of %s again, with any seed', async (env) => {
    const facts = nameFacts(await findPack(env));
    const tools = facts.tools.map((each) => each.function.name);
    const all = [...tools, ...facts.fields];
    for (let seed = 0; seed < 40; seed++) {
      const draw = (words: string) => drawUnit(`${seed}/${words}`);
      const names = condition('renamed-tools').names?.(facts, { seed, draw }) ?? {};
      const others = all.map((name) => rename(name, names));
      expect(others.map((name) => rename(name, invert(names)))).toEqual(all);
      expect(new Set(others).size).toBe(new Set(all).size);
      expect(others.slice(0, tools.length).filter((name) => tools.includes(name))).toEqual([]);
    }
  });

  it('keeps values, ids and spellings of results', () => {
    const names = namesOf(1);
    const answer = '{"order_id":  "order_id", "credit_card_9513926": {"source": "gift_card"}, "total": 131.0}';
    const other = renameInAnswer(answer, names);
    expect(other).toContain(':  "order_id"');
    expect(other).not.toContain('"order_id":');
    expect(other).toContain('"credit_card_9513926"');
    expect(other).toContain('131.0}');
    expect(renameInAnswer(other, invert(names))).toBe(answer);
  });

  it('renames what texts name', () => {
    const names = namesOf(1);
    const text =
      "Error: get_order_details() got an unexpected keyword argument 'order_id'; the order is mei_kovacs_8020's.";
    const other = renameInText(text, names);
    expect(other).toBe(
      `Error: ${rename('get_order_details', names)}() got an unexpected keyword argument '${rename('order_id', names)}'; the order is mei_kovacs_8020's.`,
    );
  });
});

describe('shuffled-policy', () => {
  const { texts } = condition('shuffled-policy');
  const draw = (words: string) => drawUnit(`7/${words}`);
  const shuffled = (policy: string) =>
    texts?.({ policy, systemPrompt: `<p>${policy}</p>`, tools: [] }, { seed: 7, draw });

  it('keeps each section whole, and what is before them', () => {
    const sections = Array.from({ length: 9 }, (_, at) => `## Part ${at}\n\nText ${at}.\n\n### Sub ${at}\n\nMore.`);
    const policy = `# Policy\n\nWords.\n\n${sections.join('\n\n')}\n`;
    const { policy: other = '', systemPrompt } = shuffled(policy) ?? {};
    expect(other).not.toBe(policy);
    expect(other.startsWith('# Policy\n\nWords.\n\n## Part')).toBe(true);
    expect(other.length).toBe(policy.length);
    for (const section of sections) expect(other).toContain(section);
    expect(systemPrompt).toBe(`<p>${other}</p>`);
  });

  it('shuffles the paragraphs of a policy without headings', () => {
    const paragraphs = Array.from({ length: 8 }, (_, at) => `Paragraph ${at}.`);
    const other = shuffled(paragraphs.join('\n\n'))?.policy ?? '';
    expect(other.startsWith('Paragraph 0.')).toBe(true);
    expect(other.split('\n\n').sort()).toEqual(paragraphs);
    expect(other).not.toBe(paragraphs.join('\n\n'));
  });
});
