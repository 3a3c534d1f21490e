/**
 * A command of a FastWorkflow workflow from its Python file. Only literals are read, nothing is run: the docstring, the
 * fields of the pydantic models `Input` and `Output`, and the utterances. Each thing that cannot be read is a note.
 */

import type { SyntaxNode } from '@lezer/common';
import { analyse } from 'scslre';
import { isDict, isList, PyFloat, str, type PyValue } from '../../benchmarks/python/index.ts';
import { isPattern } from '../../agents/fastworkflow/catalogue/index.ts';
import type {
  CommandDefinition,
  FieldDefinition,
  FieldType,
  OutputDefinition,
} from '../../agents/fastworkflow/public.ts';
import { PackError } from '../../benchmarks/packs/index.ts';
import { childrenOf, evaluate, isPunctuation, parsePython, textOf, type PythonSource } from '../import/index.ts';
import { attempt } from '../../errors/index.ts';

export interface ReadCommand {
  /** Null if the file defines no command. */
  readonly command: CommandDefinition | null;
  /** Reasons why something was left out, one clause each. */
  readonly notes: readonly string[];
}

/**
 * @param path as notes show it
 * @param name the command's, from the file's
 * @throws PackError when the text is no Python
 */
export function readCommandFile(path: string, contents: string, name: string, context: string): ReadCommand {
  const file = new CommandFile(parsePython(path, contents));
  const signature = file.topLevel('Signature');
  if (signature === undefined) return { command: null, notes: ['it has no class Signature, so it is left out'] };
  file.noteBases(signature, 'Signature');
  const members = statementsOf(signature);
  const input = members.find((node) => file.classNameOf(node) === 'Input');
  const output = members.find((node) => file.classNameOf(node) === 'Output');
  for (const node of members) {
    if (functionNameOf(node, file.source) === 'validate_extracted_parameters') {
      file.notes.push('validate_extracted_parameters is Python code, which is not run');
    } else if (functionNameOf(node, file.source) === 'db_lookup') {
      file.notes.push('db_lookup is Python code, which is not run');
    }
  }
  const utterances = [...file.texts(members, 'plain_utterances'), ...file.texts(members, 'template_utterances')];
  const outputs = output === undefined ? [] : file.fieldsOf(output, 'Output').map(toOutput);
  const command: CommandDefinition = {
    name,
    description: file.docstring(members) ?? name.replaceAll('_', ' '),
    utterances,
    context,
    fields: input === undefined ? [] : file.fieldsOf(input, 'Input'),
    ...(outputs.length === 0 ? {} : { outputs }),
    label: '',
  };
  return { command, notes: file.notes };
}

function toOutput({ name, description, type }: FieldDefinition): OutputDefinition {
  return { name, description, type };
}

/** Keywords of `Field` that become part of the catalogue. */
const READ = new Set(['default', 'default_factory', 'description', 'examples', 'pattern', 'json_schema_extra']);
const READ_EXTRAS = new Set(['available_from', 'enum', 'used_by']);
/** FastWorkflow's sign for a value that was not given. */
const MISSING = 'NOT_FOUND';

/** Type of a field, with what its annotation says besides. */
interface Annotation {
  readonly type: FieldType;
  readonly isOptional: boolean;
  readonly allowed?: readonly string[];
  /** The call of `Field` within `Annotated`. */
  readonly field?: SyntaxNode;
}

class CommandFile {
  readonly source: PythonSource;
  readonly notes: string[] = [];

  constructor(source: PythonSource) {
    this.source = source;
  }

  /** A class at the file's top level. */
  topLevel(name: string): SyntaxNode | undefined {
    return childrenOf(this.source.tree.topNode).find((node) => this.classNameOf(node) === name);
  }

  classNameOf(node: SyntaxNode): string | undefined {
    const definition = definitionIn(node, 'ClassDefinition');
    const name = definition?.getChild('VariableName');
    return name === undefined || name === null ? undefined : textOf(this.source, name);
  }

  noteBases(node: SyntaxNode, what: string): void {
    const list = definitionIn(node, 'ClassDefinition')?.getChild('ArgList');
    const bases = list === null || list === undefined ? [] : childrenOf(list).filter((part) => !isPunctuation(part));
    const foreign = bases.map((base) => textOf(this.source, base)).filter((base) => !/(^|\.)BaseModel$/.test(base));
    if (foreign.length > 0) this.notes.push(`${what} extends ${foreign.join(', ')}, which is not read`);
  }

  docstring(members: readonly SyntaxNode[]): string | undefined {
    const [first] = members;
    const text = first?.name === 'ExpressionStatement' ? this.#value(first.firstChild) : undefined;
    return typeof text === 'string' && text.trim() !== '' ? text.replace(/\s+/g, ' ').trim() : undefined;
  }

  /** The list of texts that a name is given. */
  texts(members: readonly SyntaxNode[], name: string): string[] {
    const node = members.find((member) => assignedName(member, this.source) === name);
    const given = node === undefined ? undefined : valueOf(node);
    if (given === undefined) return [];
    const value = this.#value(given);
    if (value !== undefined && isList(value)) return value.filter((item) => typeof item === 'string');
    this.notes.push(`${name} is not a list of texts that can be read`);
    return [];
  }

  fieldsOf(model: SyntaxNode, what: string): FieldDefinition[] {
    this.noteBases(model, what);
    return statementsOf(model).flatMap((node) => {
      const name = assignedName(node, this.source);
      const annotation = node.getChild('TypeDef');
      if (name === undefined || annotation === null) {
        if (functionNameOf(node, this.source) !== undefined) {
          this.notes.push(`${what} has Python code (${String(functionNameOf(node, this.source))}), which is not run`);
        }
        return [];
      }
      return [this.#field(name, annotation, valueOf(node), `${what}.${name}`)];
    });
  }

  #field(name: string, annotation: SyntaxNode, given: SyntaxNode | undefined, place: string): FieldDefinition {
    const said = this.#annotation(
      childrenOf(annotation).filter((part) => !isPunctuation(part)),
      place,
    );
    const call = said.field ?? (given !== undefined && this.#isField(given) ? given : undefined);
    const keywords = call === undefined ? new Map<string, SyntaxNode>() : this.#keywords(call);
    const plain = given === undefined || this.#isField(given) ? keywords.get('default') : given;
    for (const key of keywords.keys()) {
      if (!READ.has(key)) this.notes.push(`${place}: ${key} is not checked`);
    }
    const extras = this.#value(keywords.get('json_schema_extra'));
    const extra = extras !== undefined && isDict(extras) ? extras : new Map<string, PyValue>();
    for (const key of extra.keys()) {
      if (!READ_EXTRAS.has(key)) this.notes.push(`${place}: ${key} of json_schema_extra is not read`);
    }
    const description = this.#value(keywords.get('description'));
    const examples = textsOf(this.#value(keywords.get('examples')));
    const allowed = said.allowed ?? textsOf(extra.get('enum'));
    const availableFrom = textsOf(extra.get('available_from'));
    const pattern = this.#pattern(this.#value(keywords.get('pattern')), place);
    const usual = this.#default(plain, place);
    return {
      name,
      description: typeof description === 'string' ? description.replace(/\s+/g, ' ').trim() : '',
      type: said.type,
      required: !said.isOptional && usual === undefined,
      ...(pattern === undefined ? {} : { pattern }),
      ...(examples === undefined ? {} : { examples }),
      ...(allowed === undefined ? {} : { allowed }),
      ...(usual === undefined ? {} : { default: usual }),
      ...(availableFrom === undefined ? {} : { availableFrom }),
    };
  }

  #isField(node: SyntaxNode): boolean {
    const callee = node.name === 'CallExpression' ? node.firstChild : null;
    return callee !== null && /(^|\.)Field$/.test(textOf(this.source, callee));
  }

  /** Arguments of a call by name; the first without a name is the default. */
  #keywords(call: SyntaxNode): Map<string, SyntaxNode> {
    const list = call.getChild('ArgList');
    const parts = list === null ? [] : childrenOf(list).filter((part) => !isPunctuation(part));
    const keywords = new Map<string, SyntaxNode>();
    for (let at = 0; at < parts.length; at++) {
      const [part, next, value] = [parts[at], parts[at + 1], parts[at + 2]];
      if (part === undefined) break;
      if (next?.name === 'AssignOp' && value !== undefined) {
        keywords.set(textOf(this.source, part), value);
        at += 2;
      } else if (at === 0 && part.name !== 'Ellipsis') keywords.set('default', part);
    }
    return keywords;
  }

  /** @returns undefined for none, and for the sign of a value that was not given */
  #default(node: SyntaxNode | undefined, place: string): string | undefined {
    if (node === undefined || node.name === 'Ellipsis') return undefined;
    const value = this.#value(node);
    if (value === undefined) {
      this.notes.push(`${place}: its default ${textOf(this.source, node).slice(0, 40)} cannot be read`);
      return undefined;
    }
    const text = scalarText(value);
    return text === undefined || text === MISSING ? undefined : text;
  }

  #pattern(value: PyValue | undefined, place: string): string | undefined {
    if (typeof value !== 'string') return undefined;
    const pattern = value
      .replaceAll('(?P<', '(?<')
      .replaceAll('(?P=', '\\k<')
      .replace(/\\Z$/, '$')
      .replace(/^\\A/, '^');
    // Python takes an escape that has no meaning as the sign itself; JavaScript refuses it.
    const plain = pattern.replace(/\\([^\w\s^$\\.*+?()[\]{}|/-])/g, '$1');
    const read = [pattern, plain].find(isPattern);
    if (read === undefined) {
      this.notes.push(`${place}: its pattern is not one of JavaScript, so it is left out`);
    } else if (canBacktrack(read)) {
      this.notes.push(`${place}: its pattern can take very long on a long text, so it is left out`);
      return undefined;
    }
    return read;
  }

  #annotation([node, ...rest]: readonly SyntaxNode[], place: string): Annotation {
    const text: Annotation = { type: 'text', isOptional: false };
    if (node === undefined || rest.length > 0) return text;
    if (node.name === 'String') {
      this.notes.push(`${place}: its type ${textOf(this.source, node)} is read as text`);
      return text;
    }
    if (node.name === 'BinaryExpression') return this.#union(node, place);
    const [head = node, ...parts] = node.name === 'MemberExpression' ? childrenOf(node) : [node];
    const isSubscript = parts[0]?.name === '[';
    const name = textOf(this.source, isSubscript ? head : node).replace(/^.*\./, '');
    const inner = isSubscript ? parts.filter((part) => !isPunctuation(part)) : [];
    switch (name) {
      case 'Annotated': {
        const field = inner.find((part) => this.#isField(part));
        return { ...this.#annotation(inner.slice(0, 1), place), ...(field === undefined ? {} : { field }) };
      }
      case 'Optional':
        return { ...this.#annotation(inner, place), isOptional: true };
      case 'Union':
        return this.#anyOf(inner, place);
      case 'Literal':
        return { ...text, allowed: inner.flatMap((part) => scalarText(this.#value(part) ?? null) ?? []) };
      case 'List':
      case 'list': {
        const item = inner.length === 0 ? text : this.#annotation(inner, place);
        const { allowed } = item;
        return { type: item.type === 'text' ? 'list' : 'json', isOptional: false, ...(allowed ? { allowed } : {}) };
      }
      default:
        return this.#named(name, place);
    }
  }

  #union(node: SyntaxNode, place: string): Annotation {
    const members: SyntaxNode[] = [];
    const collect = (part: SyntaxNode): void => {
      if (part.name === 'BinaryExpression') for (const child of childrenOf(part)) collect(child);
      else if (part.name !== 'BitOp') members.push(part);
    };
    collect(node);
    return this.#anyOf(members, place);
  }

  #anyOf(members: readonly SyntaxNode[], place: string): Annotation {
    const others = members.filter((member) => member.name !== 'None');
    const [first] = others;
    if (others.length > 1) this.notes.push(`${place}: of its types only the first is read`);
    const read = first === undefined ? { type: 'text' as const } : this.#annotation([first], place);
    return { ...read, isOptional: others.length < members.length };
  }

  #named(name: string, place: string): Annotation {
    const type = NAMED_TYPES.get(name);
    if (type !== undefined) return { type, isOptional: false };
    const values = this.#enumValues(name);
    if (values !== undefined) return { type: 'text', isOptional: false, allowed: values };
    this.notes.push(`${place}: its type ${name} is read as text`);
    return { type: 'text', isOptional: false };
  }

  /** The values of an enumeration of the same file. */
  #enumValues(name: string): string[] | undefined {
    const definition = this.topLevel(name);
    const bases = definition === undefined ? null : definitionIn(definition, 'ClassDefinition')?.getChild('ArgList');
    if (definition === undefined || !bases || !/\b(Str)?Enum\b/.test(textOf(this.source, bases))) return undefined;
    return statementsOf(definition).flatMap((node) => {
      const value = valueOf(node);
      return value === undefined ? [] : (scalarText(this.#value(value) ?? null) ?? []);
    });
  }

  /** @returns undefined for what is no literal */
  #value(node: SyntaxNode | null | undefined): PyValue | undefined {
    if (node === null || node === undefined) return undefined;
    const evaluated = () => evaluate(node, { source: this.source, lookup: (name) => this.#constant(name) });
    return attempt(evaluated, () => undefined, PackError);
  }

  /** A name that the file's top level gives a literal. */
  #constant(name: string): PyValue {
    const nodes = childrenOf(this.source.tree.topNode).filter((node) => assignedName(node, this.source) === name);
    const given = nodes.length === 1 && nodes[0] !== undefined ? valueOf(nodes[0]) : undefined;
    if (given === undefined) throw new PackError(`${name} is given no value.`);
    const refuse = (): never => {
      throw new PackError(`${name} is not a literal.`);
    };
    return evaluate(given, { source: this.source, lookup: refuse });
  }
}

const NAMED_TYPES: ReadonlyMap<string, FieldType> = new Map([
  ['str', 'text'],
  ['EmailStr', 'text'],
  ['int', 'integer'],
  ['float', 'number'],
  ['bool', 'boolean'],
  ['dict', 'json'],
  ['Dict', 'json'],
  ['Any', 'json'],
]);

/** Patterns are matched with what a model wrote: the time must not grow faster than the text's length. */
function canBacktrack(pattern: string): boolean {
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return analyse(whole, { reportTypes: { Move: false } }).reports.length > 0;
}

/** A class or function, with or without decorators. */
function definitionIn(node: SyntaxNode, kind: 'ClassDefinition' | 'FunctionDefinition'): SyntaxNode | undefined {
  if (node.name === kind) return node;
  return node.name === 'DecoratedStatement' ? (node.getChild(kind) ?? undefined) : undefined;
}

function functionNameOf(node: SyntaxNode, source: PythonSource): string | undefined {
  const name = definitionIn(node, 'FunctionDefinition')?.getChild('VariableName');
  return name === undefined || name === null ? undefined : textOf(source, name);
}

function statementsOf(node: SyntaxNode): SyntaxNode[] {
  const body = definitionIn(node, 'ClassDefinition')?.getChild('Body');
  return body === undefined || body === null ? [] : childrenOf(body).filter((part) => !isPunctuation(part));
}

function assignedName(node: SyntaxNode, source: PythonSource): string | undefined {
  const target = node.name === 'AssignStatement' ? node.firstChild : null;
  return target?.name === 'VariableName' ? textOf(source, target) : undefined;
}

/** The last part of `name: type = value`. */
function valueOf(node: SyntaxNode): SyntaxNode | undefined {
  const parts = childrenOf(node);
  const at = parts.findIndex(({ name }) => name === 'AssignOp');
  return at < 0 ? undefined : parts[at + 1];
}

/** @returns undefined for none, an empty list, and what is no list */
function textsOf(value: PyValue | undefined): string[] | undefined {
  if (value === undefined || !isList(value)) return undefined;
  const texts = value.flatMap((item) => scalarText(item) ?? []);
  return texts.length === 0 ? undefined : texts;
}

/** Writes a value as a tag would have it. */
function scalarText(value: PyValue): string | undefined {
  const isScalar =
    typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean' || value instanceof PyFloat;
  return isScalar ? str(value) : undefined;
}
