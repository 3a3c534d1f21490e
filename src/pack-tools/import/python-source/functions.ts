/** Evaluates simple functions, and finds statements inside others. */

import type { SyntaxNode } from '@lezer/common';
import { truthy, type PyValue } from '../../../benchmarks/python/index.ts';
import {
  assignmentParts,
  listStatements,
  type EvaluateOptions,
  type PythonModule,
  type PythonModules,
} from './modules.ts';
import { listChildren, refuseSource, getNodeText } from './source.ts';

/** Finds a method of a class or of its base classes in the same file. */
export function findMethod(module: PythonModule, className: string, method: string): SyntaxNode | undefined {
  const seen = new Set<string>();
  for (let name: string | undefined = className; name !== undefined && !seen.has(name);) {
    seen.add(name);
    const definition: SyntaxNode | undefined = module.classNamed(name);
    if (definition === undefined) return undefined;
    const own = functionsIn(module, definition).get(method);
    if (own !== undefined) return own;
    const base: SyntaxNode | null | undefined = definition.getChild('ArgList')?.getChild('VariableName');
    name = base === null || base === undefined ? undefined : getNodeText(module.source, base);
  }
  return undefined;
}

/**
 * Evaluates a function that may only assign local names and branch with `if`.
 * @param options values of the parameters, as `given`
 */
export function returnValue(
  modules: PythonModules,
  module: PythonModule,
  definition: SyntaxNode,
  options: EvaluateOptions = {},
): PyValue {
  const body = definition.getChild('Body');
  const returned = body === null ? undefined : run(modules, module, body, { ...options, locals: new Map() });
  return returned === undefined
    ? refuseSource(module.source, definition, 'this function returns nothing')
    : returned.value;
}

/** Returns the values assigned to a target such as `prompt` or `self.prompt` inside the node, in order. */
export function assignmentsIn(module: PythonModule, inside: SyntaxNode, target: string): SyntaxNode[] {
  return nodesIn(inside, 'AssignStatement').flatMap((statement) => {
    const { targets, value } = assignmentParts(statement);
    const meant = targets.some((node) => getNodeText(module.source, node) === target);
    return meant && value !== undefined ? [value] : [];
  });
}

/** Returns the default of a parameter; undefined if it has none. */
export function parameterDefault(module: PythonModule, definition: SyntaxNode, name: string): SyntaxNode | undefined {
  const parts = listChildren(definition.getChild('ParamList') ?? definition).filter(
    ({ name: kind }) => kind !== 'TypeDef',
  );
  const at = parts.findIndex((node) => node.name === 'VariableName' && getNodeText(module.source, node) === name);
  return at >= 0 && parts[at + 1]?.name === 'AssignOp' ? parts[at + 2] : undefined;
}

/** Returns all nodes of a kind inside a node, in the order of the text. */
export function nodesIn(inside: SyntaxNode, kind: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  inside.cursor().iterate((node) => {
    if (node.name === kind) found.push(node.node);
  });
  return found;
}

function functionsIn(module: PythonModule, definition: SyntaxNode): Map<string, SyntaxNode> {
  const functions = new Map<string, SyntaxNode>();
  const body = definition.getChild('Body');
  for (const statement of body === null ? [] : listStatements(body)) {
    const inner = statement.name === 'DecoratedStatement' ? statement.lastChild : statement;
    const name = inner?.name === 'FunctionDefinition' ? inner.getChild('VariableName') : null;
    if (inner !== null && name !== null) functions.set(getNodeText(module.source, name), inner);
  }
  return functions;
}

type CallFrame = EvaluateOptions & { readonly locals: Map<string, PyValue> };

/** @returns undefined if the body ends without a return */
function run(
  modules: PythonModules,
  module: PythonModule,
  body: SyntaxNode,
  options: CallFrame,
): { readonly value: PyValue } | undefined {
  const { source } = module;
  for (const statement of listStatements(body)) {
    switch (statement.name) {
      case 'PassStatement':
        break;
      case 'ExpressionStatement':
        if (!isText(statement)) refuseSource(source, statement, 'this statement cannot be followed');
        break;
      case 'AssignStatement': {
        const { targets, value } = assignmentParts(statement);
        if (value === undefined) refuseSource(source, statement, 'this assignment cannot be followed');
        const result = modules.evaluate(module, value, options);
        for (const target of targets) {
          if (target.name !== 'VariableName') refuseSource(source, target, 'this assignment cannot be followed');
          options.locals.set(getNodeText(source, target), result);
        }
        break;
      }
      case 'IfStatement': {
        const branch = chosenBranch(modules, module, statement, options);
        const returned = branch === undefined ? undefined : run(modules, module, branch, options);
        if (returned !== undefined) return returned;
        break;
      }
      case 'ReturnStatement': {
        const result = statement.lastChild;
        return {
          value: result?.name === 'return' || result === null ? null : modules.evaluate(module, result, options),
        };
      }
      default:
        refuseSource(source, statement, 'this statement cannot be followed');
    }
  }
  return undefined;
}

/** Returns the body of the first true `if` or `elif`, otherwise of `else`. */
function chosenBranch(
  modules: PythonModules,
  module: PythonModule,
  statement: SyntaxNode,
  options: CallFrame,
): SyntaxNode | undefined {
  const parts = listChildren(statement);
  for (let at = 0; at < parts.length;) {
    const [word, next, body] = [parts[at], parts[at + 1], parts[at + 2]];
    if (word?.name === 'else') return next;
    if (next !== undefined && truthy(modules.evaluate(module, next, options))) return body;
    at += 3;
  }
  return undefined;
}

function isText(statement: SyntaxNode): boolean {
  return statement.firstChild?.name === 'String' || statement.firstChild?.name === 'ContinuedString';
}
