/** Forms of expression in which the reference writes texts. */

import type { SyntaxNode } from '@lezer/common';
import { childrenOf, textOf, type PythonSource } from './python-source/source.ts';

/**
 * The parts of `"<joiner>".join([f"<line>" for … in …])`.
 * @returns undefined when the expression has another form
 */
export function joinOf(value: SyntaxNode): { joiner: SyntaxNode; line: SyntaxNode } | undefined {
  const joiner = value.getChild('MemberExpression')?.firstChild;
  const line = value.getChild('ArgList')?.getChild('ArrayComprehensionExpression')?.getChild('FormatString');
  if (joiner?.name !== 'String' || line === null || line === undefined) return undefined;
  return { joiner, line };
}

/** The value of a key of a dict, or of a named argument of a call. */
export function fieldOf(source: PythonSource, node: SyntaxNode, key: string): SyntaxNode | undefined {
  const parts = childrenOf(node.name === 'CallExpression' ? (node.getChild('ArgList') ?? node) : node);
  const at = parts.findIndex((part) => [key, `"${key}"`, `'${key}'`].includes(textOf(source, part)));
  return at < 0 ? undefined : parts[at + 2];
}
