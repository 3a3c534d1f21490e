/** Random operators of the product's code, as ranges that Stryker understands. */

import { readFileSync } from 'node:fs';
import ts from 'typescript';

import { shuffleBySeed } from '../../src/benchmarks/index.ts';

const OPERATOR = /^(?:[=!]==?|[<>]=?|&&|\|\||[-+*/%])$/;

interface Expression {
  readonly range: string;
  readonly operators: number;
}

/** @returns ranges of random outermost expressions that have at least `count` operators together */
export function sampleOperators(files: readonly string[], count: number, seed: number): string[] {
  const ranges: string[] = [];
  let operators = 0;
  for (const expression of shuffleBySeed(files.flatMap(findExpressions), seed)) {
    if (operators >= count) break;
    ranges.push(expression.range);
    operators += expression.operators;
  }
  return ranges;
}

function findExpressions(file: string): Expression[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const position = (offset: number) => {
    const { line, character } = source.getLineAndCharacterOfPosition(offset);
    return `${line + 1}:${character}`;
  };
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const operators = countOperators(node, source);
    if (operators === 0) return;
    if (!isOperator(node, source)) ts.forEachChild(node, visit);
    else found.push({ range: `${file}:${position(node.getStart(source))}-${position(node.end)}`, operators });
  };
  ts.forEachChild(source, visit);
  return found;
}

function countOperators(node: ts.Node, source: ts.SourceFile): number {
  let count = isOperator(node, source) ? 1 : 0;
  ts.forEachChild(node, (child) => {
    count += countOperators(child, source);
  });
  return count;
}

function isOperator(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  return ts.isBinaryExpression(node) && OPERATOR.test(node.operatorToken.getText(source));
}
