/**
 * A domain's tools in OpenAI's form, read from Python sources: signatures, Google-style docstrings and argument models.
 * Runs no code. Keys are in pydantic's order.
 */

import type { SyntaxNode } from '@lezer/common';
import { compareText, type PyDict, type PyList, type PyValue } from '../../benchmarks/python/index.ts';
import {
  listChildren,
  evaluateNode,
  isPunctuation,
  parsePython,
  getNodeText,
  type PythonSource,
} from '../import/index.ts';
import { readDocstring } from './docstring.ts';
import type { Tau3Files } from './files.ts';

/** A JSON schema under construction. */
type Schema = Record<string, PyValue>;

/** @throws PackError for missing or unreadable sources */
export async function readToolSchemas(
  files: Tau3Files,
  domain: string,
): Promise<{ readonly assistant: PyList; readonly user: PyList }> {
  const folder = `src/tau2/domains/${domain}`;
  const read = async (names: readonly string[]) => {
    const sources: PythonSource[] = [];
    for (const name of names) {
      const path = `${folder}/${name}`;
      if (sources.length === 0 || (await files.find(path)) !== undefined) {
        sources.push(parsePython(path, await files.text(path)));
      }
    }
    return describeTools(sources);
  };
  const hasUserTools = (await files.find(`${folder}/user_tools.py`)) !== undefined;
  return {
    assistant: await read(['tools.py', 'data_model.py']),
    user: hasUserTools ? await read(['user_tools.py', 'user_data_model.py']) : [],
  };
}

/** @param sources the file with the tools, then the files with their models */
function describeTools(sources: readonly PythonSource[]): PyList {
  const [source] = sources;
  if (source === undefined) return [];
  const types = new Types(sources);
  return nodesIn(source.tree.topNode, 'ClassDefinition').flatMap((toolkit) =>
    listChildren(toolkit.getChild('Body') ?? toolkit).flatMap((member) => {
      const decorator = member.name === 'DecoratedStatement' ? member.getChild('Decorator') : null;
      const definition = member.getChild('FunctionDefinition');
      const isTool = decorator !== null && /^@is_tool\(/.test(getNodeText(source, decorator));
      return isTool && definition !== null ? [describeTool(source, definition, types)] : [];
    }),
  );
}

function describeTool(source: PythonSource, definition: SyntaxNode, types: Types): PyDict {
  const nameNode = definition.getChild('VariableName');
  const name = nameNode === null ? '' : getNodeText(source, nameNode);
  const { description, parameters: described } = readDocstring(
    findDocstring(source, definition.getChild('Body')) ?? '',
  );
  const definitions = new Map<string, PyValue>();
  const properties = new Map<string, PyValue>();
  const required: string[] = [];
  for (const { name: parameter, type, value } of listParameters(source, definition)) {
    const text = described.get(parameter);
    properties.set(
      parameter,
      toSortedDict({
        ...addTitle(parameter, types.describeType(type, definitions)),
        ...(value === undefined ? {} : { default: value }),
        ...(text === undefined ? {} : { description: text }),
      }),
    );
    if (value === undefined) required.push(parameter);
  }
  const schema = objectSchema('parameters', properties, required);
  if (definitions.size > 0) schema['$defs'] = byName(definitions);
  const fn: Schema = { name, description: description === '' ? name : description, parameters: toSortedDict(schema) };
  return new Map<string, PyValue>([
    ['type', 'function'],
    ['function', new Map(Object.entries(fn))],
  ]);
}

function objectSchema(title: string, properties: PyDict, required: readonly string[]): Schema {
  return { properties, ...(required.length === 0 ? {} : { required }), title, type: 'object' };
}

interface Parameter {
  readonly name: string;
  /** Source text of the annotation. */
  readonly type: string;
  readonly value: PyValue | undefined;
}

function listParameters(source: PythonSource, definition: SyntaxNode): Parameter[] {
  const list = definition.getChild('ParamList');
  const parts = list === null ? [] : listChildren(list);
  return parts.flatMap((part, at) => {
    const name = getNodeText(source, part);
    if (part.name !== 'VariableName' || !['(', ','].includes(parts[at - 1]?.name ?? '') || name === 'self') return [];
    const typed = parts[at + 1]?.name === 'TypeDef' ? parts[at + 1] : undefined;
    const equals = at + (typed === undefined ? 1 : 2);
    const value = parts[equals]?.name === 'AssignOp' ? parts[equals + 1] : undefined;
    return [
      { name, type: typed === undefined ? '' : annotation(source, typed), value: value && literal(source, value) },
    ];
  });
}

function annotation(source: PythonSource, typed: SyntaxNode): string {
  return getNodeText(source, typed).replace(/^:\s*/, '');
}

function findDocstring(source: PythonSource, body: SyntaxNode | null): string | undefined {
  const first = body === null ? undefined : listChildren(body).find((node) => !isPunctuation(node));
  const text =
    first?.name === 'ExpressionStatement' && first.firstChild ? literal(source, first.firstChild) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** @throws PackError for anything but a literal */
function literal(source: PythonSource, node: SyntaxNode): PyValue {
  return evaluateNode(node, {
    source,
    lookup: (name) => name,
    attribute: (_name, attribute) => attribute,
  });
}

/** Adds a title, the field's name in words, unless the schema is only a reference. */
function addTitle(name: string, schema: Schema): Schema {
  if (schema['$ref'] !== undefined) return schema;
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { ...schema, title: words.join(' ') };
}

function toSortedDict(schema: Schema): PyDict {
  return byName(new Map(Object.entries(schema)));
}

function byName(dict: PyDict): PyDict {
  return new Map(Array.from(dict).sort(([a], [b]) => compareText(a, b)));
}

const PLAIN: Readonly<Record<string, Schema>> = {
  str: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  None: { type: 'null' },
  dict: { additionalProperties: true, type: 'object' },
  Any: {},
};

/** Deepest nesting of annotations, deeper than in any tool. */
const MAX_DEPTH = 8;

/** The types in annotations, with the classes and aliases of the given files. */
class Types {
  readonly #classes = new Map<string, { readonly source: PythonSource; readonly node: SyntaxNode }>();
  readonly #aliases = new Map<string, string>();

  constructor(sources: readonly PythonSource[]) {
    for (const source of sources) {
      for (const node of listChildren(source.tree.topNode)) {
        const name = node.getChild('VariableName');
        if (name === null) continue;
        if (node.name === 'ClassDefinition') this.#classes.set(getNodeText(source, name), { source, node });
        const value = node.name === 'AssignStatement' ? node.lastChild : null;
        if (value !== null) this.#aliases.set(getNodeText(source, name), getNodeText(source, value));
      }
    }
  }

  /** @param definitions collects the models that the schema refers to */
  describeType(type: string, definitions: Map<string, PyValue>, depth = 0): Schema {
    const text = type.trim();
    if (depth > MAX_DEPTH) return {};
    const inner = (part: string) => this.describeType(part, definitions, depth + 1);
    const union = splitTop(text, '|');
    if (union.length > 1) return { anyOf: union.map((part) => toSortedDict(inner(part))) };
    const [, head = text, args] = /^([\w.]+)\[(.*)\]$/s.exec(text) ?? [];
    const parts = args === undefined ? [] : splitTop(args, ',');
    switch (head) {
      case 'Union':
        return { anyOf: parts.map((part) => toSortedDict(inner(part))) };
      case 'Optional':
        return { anyOf: [...parts, 'None'].map((part) => toSortedDict(inner(part))) };
      case 'List':
      case 'list':
        return { items: toSortedDict(inner(parts[0] ?? 'Any')), type: 'array' };
      case 'Dict':
        return { additionalProperties: true, type: 'object' };
      case 'Literal':
        return { enum: parts.map((part) => part.replace(/^(["'])(.*)\1$/s, '$2')), type: 'string' };
      default:
        return PLAIN[head] ?? this.#named(head, definitions, depth);
    }
  }

  #named(name: string, definitions: Map<string, PyValue>, depth: number): Schema {
    const alias = this.#aliases.get(name);
    if (alias !== undefined) return this.describeType(alias, definitions, depth + 1);
    const known = this.#classes.get(name);
    if (known === undefined) return {};
    if (!definitions.has(name)) {
      definitions.set(name, null);
      definitions.set(name, toSortedDict(this.#model(name, known.source, known.node, definitions, depth)));
    }
    return { $ref: `#/$defs/${name}` };
  }

  #model(
    name: string,
    source: PythonSource,
    node: SyntaxNode,
    definitions: Map<string, PyValue>,
    depth: number,
  ): Schema {
    const bases = getNodeText(source, node.getChild('ArgList') ?? node);
    const body = node.getChild('Body');
    const fields = body === null ? [] : listChildren(body).filter((part) => part.name === 'AssignStatement');
    const description = findDocstring(source, body)?.trim();
    const documented: Schema = description === undefined ? {} : { description };
    if (/\bEnum\b/.test(bases)) {
      return {
        ...documented,
        enum: fields.map((field) => findValue(source, field) ?? null),
        title: name,
        type: 'string',
      };
    }
    const properties = new Map<string, PyValue>();
    const required: string[] = [];
    for (const field of fields) {
      const [nameNode, typed] = [field.getChild('VariableName'), field.getChild('TypeDef')];
      if (nameNode === null || typed === null) continue;
      const key = getNodeText(source, nameNode);
      const settings = this.#field(source, field);
      const schema = this.describeType(annotation(source, typed), definitions, depth + 1);
      properties.set(key, toSortedDict({ ...addTitle(key, schema), ...settings }));
      if (settings['default'] === undefined) required.push(key);
    }
    const closed: Schema = bases.includes('BaseModelNoExtra') ? { additionalProperties: false } : {};
    return { ...closed, ...documented, ...objectSchema(name, properties, required) };
  }

  /** Reads the default and the description of a model's field: `= value` or `= Field(default, description=…)`. */
  #field(source: PythonSource, field: SyntaxNode): Schema {
    const value = listChildren(field).at(-1);
    if (value === undefined || value.name === 'TypeDef') return {};
    if (value.name !== 'CallExpression') return { default: this.#default(source, value) };
    const parts = listChildren(value.getChild('ArgList') ?? value).filter((part) => !isPunctuation(part));
    const settings: Schema = {};
    for (let at = 0; at < parts.length; at++) {
      const [part, next, given] = parts.slice(at, at + 3);
      if (part === undefined) break;
      const isNamed = next?.name === 'AssignOp' && given !== undefined;
      const key = isNamed ? getNodeText(source, part) : 'default';
      const node = isNamed ? given : part;
      if (key === 'default' && node.name !== 'Ellipsis') settings['default'] = this.#default(source, node);
      if (key === 'description') settings['description'] = literal(source, node);
      if (isNamed) at += 2;
    }
    return settings;
  }

  /** Returns a default; for an enumeration's member, the member's value. */
  #default(source: PythonSource, node: SyntaxNode): PyValue {
    const [name = '', member] = getNodeText(source, node).split('.');
    const known = node.name === 'MemberExpression' ? this.#classes.get(name) : undefined;
    const members = known?.node.getChild('Body');
    if (known === undefined || !members) return literal(source, node);
    const found = listChildren(members).find(
      (part) => part.name === 'AssignStatement' && getNodeText(known.source, part.firstChild ?? part) === member,
    );
    return (found && findValue(known.source, found)) ?? null;
  }
}

function findValue(source: PythonSource, assignment: SyntaxNode): PyValue | undefined {
  const value = listChildren(assignment).at(-1);
  return value && literal(source, value);
}

/** Splits at a character outside of brackets and quotes. */
function splitTop(text: string, sign: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[' || char === '(') depth++;
    else if (char === ']' || char === ')') depth--;
    else if (char === sign && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = text.slice(from).trim();
  return last === '' ? parts : [...parts, last];
}

function nodesIn(node: SyntaxNode, name: string): SyntaxNode[] {
  return listChildren(node).filter((child) => child.name === name);
}
