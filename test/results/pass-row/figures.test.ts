import { describe, expect, it } from 'vitest';

import { boundsOf, readFigures, type Shortening } from '../../../src/results/pass-row/figures.ts';

const values = (text: string) => readFigures(text).map(({ value }) => value);

describe('the figures of a row', () => {
  it.each([
    ['shares apart', '0.8347 0.714 .53', [0.8347, 0.714, 0.53]],
    ['with other signs between', '0.8/0.7, 0.6;0.5', [0.8, 0.7, 0.6, 0.5]],
    [
      'a Markdown row with a link and bold figures',
      '| [TC (gpt-4o-2024)](https://x.org/1) | **0.6** | 0.5 |',
      [0.6, 0.5],
    ],
    ['a row with a rank before the name', '| 1 | TC | 0.6 | `0.5` |', [0.6, 0.5]],
    ['a row without a name', '0.6 | 0.5', [0.6, 0.5]],
    ['the ends', '1 0', [1, 0]],
  ])('are read from %s', (_, text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each(['83.5 71.4', '83.5% 71.4%', '83.5 % / 71.4 %', '| X | 83.5 % | 71.4 % |'])('are percent in "%s"', (text) => {
    const [first, second] = readFigures(text);
    expect(first).toMatchObject({ k: 1, text: '83.5 %', isPercent: true });
    expect([first?.value, second?.value]).toEqual([0.835, 0.714].map((value) => expect.closeTo(value, 12) as number));
    expect(first?.step).toBeCloseTo(0.001, 12);
  });

  it.each([
    ['', /^the row has no figure; give/],
    ['| TC | ?? | ?? |', /^pass\^1 is “\?\?”/],
    ['0.6 n/a 0.4', /^pass\^2 is “n”/],
    ['| TC | 0.6 | n/a | 0.4 |', /^pass\^2 is “n\/a”/],
    ['| TC | 0.6 | $0.10 |', /^pass\^2 is “\$0\.10”/],
    ['0.5 -0.1', /^pass\^2 is “-0\.1”/],
    ['1e-1', /^pass\^1 is “1e-1”/],
    ['183.5 71', /^pass\^1 is 183\.5, which is more than 100 %/],
    ['| only a name |', /^the row has no figure/],
  ])('are refused in "%s"', (text, message) => {
    expect(() => readFigures(text)).toThrow(message);
  });
});

describe('what a figure may have been', () => {
  const bounds = (text: string, shortening: Shortening) =>
    boundsOf(readFigures(text), shortening).map(({ low, high, parts }) => [
      Number(low) / Number(parts),
      Number(high) / Number(parts),
    ]);

  it('is half a unit of its last digit around it, or a whole one above', () => {
    expect(bounds('0.53', 'rounded')).toEqual([[0.525, 0.535]]);
    expect(bounds('0.53', 'cut off')).toEqual([[0.53, 0.54]]);
    expect(bounds('53.0 %', 'rounded')).toEqual([[0.5295, 0.5305]]);
  });

  it('is no less than none, no more than all, and as exact as its neighbours where a share has lost its zeros', () => {
    expect(bounds('1 0.125 0', 'rounded')).toEqual([
      [0.9995, 1],
      [0.1245, 0.1255],
      [0, 0.0005],
    ]);
    expect(bounds('1 1', 'cut off')).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('is not taken for more exact than a sum of doubles', () => {
    // 96/115, the last digit of it rounded otherwise.
    const [[low, high] = [NaN, NaN]] = bounds('0.8347826086956523', 'rounded');
    expect(low).toBeLessThan(96 / 115);
    expect(high).toBeGreaterThan(96 / 115);
  });
});
