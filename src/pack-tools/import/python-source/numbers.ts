/** What a Python number literal stands for. An int stays an int of any size, a float a float. */

import { PyFloat } from '../../../benchmark/python/index.ts';

/** Python refuses longer decimal ints in source code. */
const MAX_INT_DIGITS = 4300;

/** @returns undefined for what Python refuses (leading zeros, misplaced underscores) and for imaginary numbers */
export function readNumber(literal: string): bigint | PyFloat | undefined {
  const plain = literal.replaceAll('_', '');
  if (OTHER_BASE.test(literal)) return BigInt(plain.toLowerCase());
  if (DECIMAL.test(literal)) return plain.length > MAX_INT_DIGITS ? undefined : BigInt(plain);
  return FLOAT.test(literal) ? new PyFloat(Number(plain)) : undefined;
}

const OTHER_BASE = /^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)$/;
const DECIMAL = /^(?:0(?:_?0)*|[1-9](?:_?[0-9])*)$/;
const DIGITS = '[0-9](?:_?[0-9])*';
const FLOAT = new RegExp(`^(?:${DIGITS}\\.(?:${DIGITS})?|\\.${DIGITS}|${DIGITS}(?=[eE]))(?:[eE][-+]?${DIGITS})?$`);
