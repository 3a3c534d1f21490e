import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCatalogue,
  trainClassifier,
  createClassifier,
  type Catalogue,
} from '../../../src/agents/fastworkflow/public.ts';
import { DOMAIN_PHRASES } from '../../../src/build/testing.ts';
import { createTrainingDraw, fill, classify, detect, rankByWords } from '../../../src/agents/fastworkflow/testing.ts';
import { AIRLINE, RETAIL } from './commands.ts';

/** A catalogue that no phrases were written for. */
const LIBRARY = createCatalogue([
  command('lend_book', 'Lend a book to a reader.', ['borrow the book', 'the reader takes a book home']),
  command('return_book', 'Take a book back from a reader.', ['bring the book back', 'the reader is done with it']),
  command('list_fines', 'List what a reader owes.', ['which fines are open', 'how much does the reader owe']),
]);

function command(name: string, description: string, utterances: readonly string[]) {
  return { name, description, utterances, fields: [] };
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
    ['retail', DOMAIN_PHRASES.get('retail') ?? {}, RETAIL],
    ['airline', DOMAIN_PHRASES.get('airline') ?? {}, AIRLINE],
  ])('has phrases for every command of %s and for no others', (_, phrases, catalogue) => {
    expect(Object.keys(phrases).sort()).toEqual(catalogue.commands.map(({ name }) => name));
  });
});

describe('the classifier of a run', () => {
  const text = 'what would it be to get rid of #W1?';

  it('is the lexical ranker for catalogues that are too large', () => {
    expect(classify(text, RETAIL)).not.toEqual(rankByWords(text, RETAIL));
    const large = createCatalogue(Array.from({ length: 41 }, (_, at) => command(`do_${String(at)}`, '', [])));
    expect(classify(text, large)).toEqual(rankByWords(text, large));
  });

  it('is trained for as many commands as a workflow has time for, and ranks none where there are none', () => {
    const most = createCatalogue(Array.from({ length: 40 }, (_, at) => command(`do_${String(at)}`, '', [])));
    expect(classify('do 7', most)).not.toEqual(rankByWords('do 7', most));
    expect(classify(text, createCatalogue([]))).toEqual([]);
  });

  it('is trained for a catalogue of one’s own, and reads no more than the beginning of a long text', () => {
    expect(classify('please borrow the book', LIBRARY)).toEqual(
      createClassifier(trainClassifier(LIBRARY))('please borrow the book', LIBRARY),
    );
    const long = 'borrow the book '.repeat(1000);
    expect(classify(`${long} and list the fines`, LIBRARY)).toEqual(classify(long, LIBRARY));
  });

  it('lets a sentence outweigh its first word', () => {
    const said = 'get the boots in #W1 exchanged, they arrived too small';
    const candidates = (catalogue: Catalogue) => {
      const detection = detect(said, { catalogue, learned: new Map() }, classify);
      return detection.kind === 'ambiguous' ? detection.candidates : [detection.kind];
    };
    expect(candidates(RETAIL)[0]).toBe('exchange_delivered_order_items');
  });

  it('gives confidences from 0 to 1 for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        for (const { confidence } of classify(any, RETAIL)) {
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('a template', () => {
  const draws = (template: string) => {
    const draw = createTrainingDraw(1);
    return new Set(Array.from({ length: 100 }, () => fill(template, { n: () => '7' }, draw)));
  };

  it('stands for each of its texts', () => {
    expect([...draws('(a|b (c|d)) [e]{n}')].sort()).toEqual(['a 7', 'a e7', 'b c 7', 'b c e7', 'b d 7', 'b d e7']);
  });

  it.each(['(a', 'a)', '[a', 'a|b', '{unknown}'])('that is not well formed is refused: %s', (template) => {
    expect(() => draws(template)).toThrow(/template/);
  });
});
