import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../src/agents/fastworkflow/catalogue/definitions.ts';
import { AIRLINE_PHRASES } from '../../../src/agents/fastworkflow/training/phrases/airline.ts';
import { RETAIL_PHRASES } from '../../../src/agents/fastworkflow/training/phrases/retail.ts';
import { createDraw, fill } from '../../../src/agents/fastworkflow/training/templates.ts';
import { trainClassifier } from '../../../src/agents/fastworkflow/training/train.ts';
import { createClassifier } from '../../../src/agents/fastworkflow/understanding/classifier.ts';
import { AIRLINE, RETAIL } from './commands.ts';

/** A catalogue that no phrases were written for. */
const LIBRARY = createCatalogue([
  command('lend_book', 'Lend a book to a reader.', ['borrow the book', 'the reader takes a book home']),
  command('return_book', 'Take a book back from a reader.', ['bring the book back', 'the reader is done with it']),
  command('list_fines', 'List what a reader owes.', ['which fines are open', 'how much does the reader owe']),
]);

function command(name: string, description: string, utterances: readonly string[]) {
  return { name, description, utterances, context: '*', label: '', fields: [] };
}

describe('training', () => {
  it('works for any catalogue, from its own texts', () => {
    const classify = createClassifier(trainClassifier(LIBRARY));
    const likeliest = (text: string) => classify(text, LIBRARY)[0]?.name;
    expect(likeliest('could I borrow this book please')).toBe('lend_book');
    expect(likeliest('she brings back the book')).toBe('return_book');
    expect(likeliest('what fines does he have')).toBe('list_fines');
  });

  it('gives the same weights each time', () => {
    expect(trainClassifier(LIBRARY)).toEqual(trainClassifier(LIBRARY));
  });

  it.each([
    ['retail', RETAIL_PHRASES, RETAIL],
    ['airline', AIRLINE_PHRASES, AIRLINE],
  ])('has phrases for every command of %s and for no others', (_, phrases, catalogue) => {
    expect(Object.keys(phrases).sort()).toEqual(catalogue.commands.map(({ name }) => name));
  });
});

describe('a template', () => {
  const draws = (template: string) => {
    const draw = createDraw(1);
    return new Set(Array.from({ length: 100 }, () => fill(template, { n: () => '7' }, draw)));
  };

  it('stands for each of its texts', () => {
    expect([...draws('(a|b (c|d)) [e]{n}')].sort()).toEqual(['a 7', 'a e7', 'b c 7', 'b c e7', 'b d 7', 'b d e7']);
  });

  it.each(['(a', 'a)', '[a', 'a|b', '{unknown}'])('that is not well formed is refused: %s', (template) => {
    expect(() => draws(template)).toThrow(/template/);
  });
});
