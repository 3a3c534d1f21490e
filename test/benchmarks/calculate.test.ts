import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyAction, openOverlay } from '../../src/benchmarks/index.ts';
import { shop } from './helpers.ts';
import { cpuMs } from '../helpers/linear.ts';

function calculate(expression: string): string {
  const kwargs = new Map([['expression', expression]]);
  return applyAction(shop, openOverlay(shop), { name: 'calculate', kwargs }).observation;
}

describe('calculate', () => {
  it('follows precedence and rounds as Python does', () => {
    const results = ['2 + 2', '-2**2', '2**3**2', '7//-2', '2.675', '(348.03 - 291.39) + 12.5/4', '10**16'].map(
      calculate,
    );
    expect(results).toEqual(['4.0', '-4.0', '512.0', '-4.0', '2.67', '59.76', '1e+16']);
    expect(['(-2.0)**3', '(-2.0)**2', '2.0**3'].map(calculate)).toEqual(['-8.0', '4.0', '8.0']);
  });

  it("has Python's texts for errors", () => {
    expect(calculate('1,000')).toBe('Error: invalid characters in expression');
    expect(calculate('(1 2)')).toBe('Error: invalid syntax. Perhaps you forgot a comma? (<string>, line 1)');
    expect(calculate('(1+')).toBe("Error: '(' was never closed (<string>, line 1)");
    expect(calculate('2(3)')).toBe("Error: 'int' object is not callable");
    expect(calculate('(-8)**(1/3)')).toBe("Error: float() argument must be a string or a real number, not 'complex'");
  });

  it('divides complex numbers as CPython does', () => {
    // The quotients shrink to zero, by which nothing can be divided.
    expect(calculate('1/((-1)**.1/((-1)**.1*10**200)/((-1)**.1*10**200))')).toBe('Error: complex division by zero');
  });

  it('raises to powers that are not whole to the nearest double', () => {
    expect(
      [
        '100** 43.9',
        '153.43**39.215',
        '73691**3.8',
        '16**0.75',
        '81**.5',
        '2**0.5*10**15',
        '1.0000000000000002**9007199254740993.0',
      ].map(calculate),
    ).toEqual([
      '6.309573444801892e+87',
      '5.2537793340912734e+85',
      '3.134547894567435e+18',
      '8.0',
      '9.0',
      '1414213562373095.2',
      '7.39',
    ]);
    expect(['10**308.5', '1.5**999999.5', '0.5**999999.5', '10**-400.5'].map(calculate)).toEqual([
      "Error: (34, 'Numerical result out of range')",
      "Error: (34, 'Numerical result out of range')",
      '0.0',
      '0.0',
    ]);
  });

  it('does a limited amount of work on hostile expressions', async () => {
    const spentMs = await cpuMs(() => {
      expect(calculate('9**9**9**9')).toBe('Error: int too large to convert to float');
      expect(calculate(`${'('.repeat(5000)}`)).toContain('too many nested parentheses');
      expect(calculate(`${'-'.repeat(100_000)}1`)).toContain('Error: ');
      expect(calculate(`${'(1 '.repeat(190)}`)).toContain('Error: ');
      expect(calculate(`1${'*(10**70000)'.repeat(200)}`)).toContain('Error: ');
      expect(calculate(`1${'+1'.repeat(50_000)}`)).toContain('Error: ');
    });
    expect(spentMs).toBeLessThan(5000);
  });

  it('answers any text with a number or an error, and the same each time', () => {
    const expressions = fc.string({ unit: fc.constantFrom(...'0123456789+-*/(). ') });
    fc.assert(
      fc.property(expressions, (expression) => {
        const answer = calculate(expression);
        expect(answer).toMatch(/^(Error: .*|-?[0-9.]+(e\+\d+)?|-?inf|nan)$/);
        expect(calculate(expression)).toBe(answer);
      }),
    );
  });
});
