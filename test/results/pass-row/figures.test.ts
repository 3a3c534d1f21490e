import { describe, expect, it } from 'vitest';

import { boundsOf, readFigures } from '../../../src/results/pass-row/figures.ts';

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
  it('is half a unit of its last digit around it, or a whole one above', () => {
    const [figure] = [readFigures('0.53')];
    expect(boundsOf(figure, 'rounded')[0]).toEqual({
      k: 1,
      low: expect.closeTo(0.525, 12) as number,
      high: expect.closeTo(0.535, 12) as number,
    });
    expect(boundsOf(figure, 'cut off')[0]).toMatchObject({ low: 0.53, high: expect.closeTo(0.54, 12) as number });
  });

  it('is no more than one, and as exact as its neighbours where a share has lost its zeros', () => {
    const [one] = boundsOf(readFigures('1 0.125'), 'rounded');
    expect(one).toEqual({ k: 1, low: expect.closeTo(0.9995, 12) as number, high: 1 });
    expect(boundsOf(readFigures('1 1'), 'rounded')[0]).toMatchObject({ low: 1, high: 1 });
  });
});
