/**
 * Evaluates literal expressions from their syntax alone.
 * Tuples become lists, as in JSON; calls of known records (`Task(...)`) become dicts of their arguments. Names, `+`,
 * `==`, `is`, `a if b else c` and f-strings are evaluated too, because texts use them.
 */

import type { SyntaxNode } from '@lezer/common';
import {
  PyFloat,
  add,
  equals,
  isDict,
  isList,
  negate,
  str,
  truthy,
  type PyValue,
} from '../../../benchmarks/python/index.ts';
import {
  StringLiteralError,
  listChildren,
  isPunctuation,
  readNumber,
  refuseSource,
  splitString,
  getNodeText,
  unescape,
  type PythonSource,
} from './source.ts';

/** Deepest nesting, to protect the stack from hostile text. */
const MAX_DEPTH = 400;

export interface PythonScope {
  readonly source: PythonSource;
  /** Returns the value of a name; throws for an unknown one. */
  readonly lookup: (name: string, at: SyntaxNode) => PyValue;
  /** Returns the value of an attribute of a name, such as a class's; throws for an unknown one. */
  readonly attribute?: (name: string, attribute: string, at: SyntaxNode) => PyValue;
  /** Values of expressions by their text without spaces: `instruction`, `self.wiki`. */
  readonly given?: ReadonlyMap<string, PyValue>;
  /** Classes whose calls become dicts of their keyword arguments. */
  readonly records?: ReadonlySet<string>;
}

/** @throws PackError with file and line for anything but a literal */
export function evaluateNode(node: SyntaxNode, scope: PythonScope, depth = 0): PyValue {
  const { source, given } = scope;
  if (depth > MAX_DEPTH) refuseSource(source, node, 'this is nested too deeply');
  const value = given?.get(getNodeText(source, node).replace(/\s+/g, ''));
  if (value !== undefined) return value;
  const inner = (child: SyntaxNode): PyValue => evaluateNode(child, scope, depth + 1);
  switch (node.name) {
    case 'String':
      return readString(node, source);
    case 'FormatString':
      return readFormatString(node, source, inner);
    case 'ContinuedString':
      return listChildren(node).map(inner).map(str).join('');
    case 'Number':
      return (
        readNumber(getNodeText(source, node)) ??
        refuseSource(source, node, `${getNodeText(source, node)} is not a number to keep`)
      );
    case 'Boolean':
      return getNodeText(source, node) === 'True';
    case 'None':
      return null;
    case 'ParenthesizedExpression':
      return inner(requireOneChild(node, source));
    case 'ArrayExpression':
    case 'TupleExpression':
      return listElements(node, source).map(inner);
    case 'DictionaryExpression':
      return readDict(node, source, inner);
    case 'UnaryExpression':
      return readSigned(node, source, inner);
    case 'BinaryExpression':
      return readBinary(node, source, inner);
    case 'ConditionalExpression':
      return readConditional(node, source, inner);
    case 'CallExpression':
      return readRecord(node, scope, inner);
    case 'MemberExpression':
      return readAttribute(node, scope);
    case 'VariableName':
      return scope.lookup(getNodeText(source, node), node);
    default:
      return refuseSource(source, node, `${NOUNS.get(node.name) ?? 'this expression'} cannot be read`);
  }
}

type EvaluateChild = (child: SyntaxNode) => PyValue;

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['SetExpression', 'a set'],
  ['LambdaExpression', 'a lambda'],
  ['ArrayComprehensionExpression', 'a comprehension'],
  ['DictionaryComprehensionExpression', 'a comprehension'],
  ['SetComprehensionExpression', 'a comprehension'],
  ['ComprehensionExpression', 'a comprehension'],
  ['AwaitExpression', 'await'],
  ['YieldExpression', 'yield'],
  ['NamedExpression', 'an assignment inside an expression'],
  ['Ellipsis', 'an ellipsis'],
]);

function readString(node: SyntaxNode, source: PythonSource): string {
  return refuseUnreadable(node, source, () => {
    const { raw, body } = splitString(getNodeText(source, node));
    return unescape(body, raw);
  });
}

function readFormatString(node: SyntaxNode, source: PythonSource, inner: EvaluateChild): string {
  return refuseUnreadable(node, source, () => {
    const { raw, body, offset } = splitString(getNodeText(source, node));
    const end = node.from + offset + body.length;
    let text = '';
    let at = node.from + offset;
    const literal = (to: number): string => unescape(withoutDoubledBraces(source.text.slice(at, to)), raw);
    for (const child of listChildren(node)) {
      if (child.name !== 'FormatReplacement') continue;
      text += literal(child.from) + str(inner(requireOneChild(child, source)));
      at = child.to;
    }
    return text + literal(end);
  });
}

/** Replaces `{{` and `}}`, which mean one brace in the text of an f-string. */
function withoutDoubledBraces(text: string): string {
  const rest = text.replaceAll('{{', '').replaceAll('}}', '');
  if (/[{}]/.test(rest)) throw new StringLiteralError('a single brace in an f-string');
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}

function refuseUnreadable(node: SyntaxNode, source: PythonSource, read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof StringLiteralError) refuseSource(source, node, error.message);
    throw error;
  }
}

/** Returns the only expression inside brackets. Refuses a field of an f-string with a conversion or format. */
function requireOneChild(node: SyntaxNode, source: PythonSource): SyntaxNode {
  const [first, second] = listChildren(node).filter((child) => !isPunctuation(child));
  if (first === undefined || second !== undefined)
    refuseSource(source, second ?? node, 'this expression cannot be read');
  return first;
}

function listElements(node: SyntaxNode, source: PythonSource): SyntaxNode[] {
  const elements = listChildren(node).filter((child) => !isPunctuation(child));
  const star = elements.find(({ name }) => name === '*');
  if (star !== undefined) refuseSource(source, star, 'elements that are unpacked with * cannot be read');
  return elements;
}

function readDict(node: SyntaxNode, source: PythonSource, inner: EvaluateChild): PyValue {
  const dict = new Map<string, PyValue>();
  const parts = listChildren(node).filter((child) => !isPunctuation(child));
  for (let at = 0; at < parts.length; at += 2) {
    const [keyNode, valueNode] = [parts[at], parts[at + 1]];
    if (keyNode === undefined || valueNode === undefined) refuseSource(source, node, 'a key without a value');
    if (keyNode.name === '**') {
      const more = inner(valueNode);
      if (!isDict(more)) refuseSource(source, valueNode, 'what ** unpacks here is not a dict');
      for (const [key, value] of more) dict.set(key, value);
      continue;
    }
    const key = inner(keyNode);
    if (typeof key !== 'string') refuseSource(source, keyNode, 'a key that is not a string cannot be written as JSON');
    dict.set(key, inner(valueNode));
  }
  return dict;
}

function readSigned(node: SyntaxNode, source: PythonSource, inner: EvaluateChild): PyValue {
  const [sign, operand] = listChildren(node);
  const name = sign === undefined ? '' : getNodeText(source, sign);
  if (operand === undefined || (name !== '-' && name !== '+')) refuseSource(source, node, `${name} cannot be read`);
  const value = inner(operand);
  if (!isNumber(value)) refuseSource(source, node, `a sign before something that is not a number cannot be read`);
  return name === '-' ? negate(value) : value;
}

function isNumber(value: PyValue): boolean {
  return typeof value === 'bigint' || value instanceof PyFloat;
}

function readBinary(node: SyntaxNode, source: PythonSource, inner: EvaluateChild): PyValue {
  const parts = listChildren(node);
  const [left, right] = [parts[0], parts.at(-1)];
  if (left === undefined || right === undefined) refuseSource(source, node, 'an operator without operands');
  const operator = parts
    .slice(1, -1)
    .map((part) => getNodeText(source, part))
    .join(' ');
  switch (operator) {
    case '+':
      return concatenate(inner(left), inner(right), node, source);
    case '==':
    case 'is':
      return equals(inner(left), inner(right));
    case '!=':
    case 'is not':
      return !equals(inner(left), inner(right));
    default:
      return refuseSource(source, node, `the operator ${operator} cannot be read`);
  }
}

function concatenate(left: PyValue, right: PyValue, node: SyntaxNode, source: PythonSource): PyValue {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isList(left) && isList(right)) return [...left, ...right];
  if (isNumber(left) && isNumber(right)) return add(left, right);
  return refuseSource(source, node, 'only two strings, two lists or two numbers can be added');
}

function readConditional(node: SyntaxNode, source: PythonSource, inner: EvaluateChild): PyValue {
  const [yes, , condition, , no] = listChildren(node);
  if (yes === undefined || condition === undefined || no === undefined)
    refuseSource(source, node, 'a condition is incomplete');
  return inner(truthy(inner(condition)) ? yes : no);
}

function readAttribute(node: SyntaxNode, { source, attribute }: PythonScope): PyValue {
  const [object, , property] = listChildren(node);
  if (attribute === undefined || object?.name !== 'VariableName' || property?.name !== 'PropertyName') {
    refuseSource(source, node, 'an attribute or element of something cannot be read');
  }
  return attribute(getNodeText(source, object), getNodeText(source, property), node);
}

function readRecord(node: SyntaxNode, { source, records }: PythonScope, inner: EvaluateChild): PyValue {
  const [callee, list] = listChildren(node);
  const name = callee === undefined ? '' : getNodeText(source, callee);
  if (list === undefined || records?.has(name) !== true) refuseSource(source, node, `a call of ${name} cannot be read`);
  const record = new Map<string, PyValue>();
  const parts = listChildren(list).filter((child) => !isPunctuation(child));
  for (let at = 0; at < parts.length; at += 3) {
    const [key, equal, value] = [parts[at], parts[at + 1], parts[at + 2]];
    if (key?.name !== 'VariableName' || equal?.name !== 'AssignOp' || value === undefined) {
      refuseSource(source, key ?? list, `${name} must be called with named arguments (field=value)`);
    }
    const field = getNodeText(source, key);
    if (record.has(field)) refuseSource(source, key, `${name} is given ${field} twice`);
    record.set(field, inner(value));
  }
  return record;
}
