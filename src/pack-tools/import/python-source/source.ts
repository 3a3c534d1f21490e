/** A Python file as a syntax tree, and the sentence for what in it cannot be read. Nothing of it is ever run. */

import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { PackError } from '../../../packs/index.ts';

export interface PythonSource {
  /** As a person is told it: relative to the checkout, with slashes. */
  readonly path: string;
  /** With `\n` at the end of every line, as Python reads it on every system, and without a byte order mark. */
  readonly text: string;
  readonly tree: Tree;
}

/**
 * @throws PackError when the text is no Python, or is Python that the grammar does not know: a float that ends in its
 * point (`1.`) and template strings (`t'…'`)
 */
export function parsePython(path: string, contents: string): PythonSource {
  const text = contents.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const source: PythonSource = { path, text, tree: parser.parse(text) };
  const broken = firstError(source.tree);
  if (broken !== undefined) refuse(source, broken, 'this cannot be read as Python');
  return source;
}

/**
 * @param what a clause without a full stop
 * @throws PackError always: file, line, and what is there
 */
export function refuse(source: PythonSource, at: number | SyntaxNode, what: string): never {
  const position = typeof at === 'number' ? at : at.from;
  throw new PackError(`${source.path}:${String(lineOf(source, position))}: ${what}; only literals are read from it.`);
}

/** 1-based. */
export function lineOf({ text }: PythonSource, position: number): number {
  return text.slice(0, position).split('\n').length;
}

export function textOf({ text }: PythonSource, node: SyntaxNode): string {
  return text.slice(node.from, node.to);
}

/** The node's children in order, comments left out. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child);
  }
  return children;
}

/** Whether the node is one of the tokens by which Python separates and encloses things. */
export function isPunctuation(node: SyntaxNode): boolean {
  return PUNCTUATION.has(node.name);
}

const PUNCTUATION = new Set(['(', ')', '[', ']', '{', '}', ',', ':']);

function firstError(tree: Tree): number | undefined {
  let at: number | undefined;
  tree.iterate({
    enter: (node) => {
      if (at === undefined && node.type.isError) at = node.from;
      return at === undefined;
    },
  });
  return at;
}
