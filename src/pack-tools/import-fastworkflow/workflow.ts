/** The commands of a FastWorkflow workflow folder as a catalogue, with a classifier that is trained for them. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import {
  readCatalogue,
  type CatalogueFile,
  type ClassifierWeights,
  type CommandDefinition,
} from '../../agents/fastworkflow/public.ts';
import { DOMAIN_CATALOGUES, catalogueOf } from '../../agents/fastworkflow/catalogue/index.ts';
import { trainForImport } from './train.ts';
import { PackError, decodeText } from '../../benchmarks/packs/index.ts';
import { readCommandFile } from './signature.ts';

export interface ImportedWorkflow {
  readonly catalogue: CatalogueFile;
  readonly weights: ClassifierWeights;
  /** Command files that were read, relative to the workflow's folder. */
  readonly read: readonly string[];
  /** Reasons why something was left out, one sentence each. */
  readonly notes: readonly string[];
}

const COMMANDS = '_commands';
/** A workflow has dozens of commands, of a few kilobytes each. */
const MAX_FILES = 1_000;
const MAX_FILE_BYTES = 1_000_000;

/**
 * Reads the workflow's command files as text; nothing of it is run.
 * @throws PackError for a folder that is no workflow or has no command
 */
export async function importWorkflow(folder: string): Promise<ImportedWorkflow> {
  const root = join(folder, COMMANDS);
  const isWorkflow = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isWorkflow) throw new PackError(`${folder}: there is no folder ${COMMANDS}; give a FastWorkflow workflow's.`);
  const files = (await filesIn(root)).sort();
  if (files.length > MAX_FILES)
    throw new PackError(`${folder}: it has ${files.length} command files, at most ${MAX_FILES} are read.`);
  const commands = new Map<string, CommandDefinition>();
  const notes: string[] = [];
  const read: string[] = [];
  for (const path of files) {
    const shown = relative(folder, path).split(sep).join('/');
    const name = basename(path, '.py');
    const note = (clause: string) => void notes.push(`${shown}: ${clause}.`);
    if (name.startsWith('_')) {
      if (name !== '__init__') note('it is a context, not a command, and contexts are not supported');
      continue;
    }
    if (!/^[A-Za-z_]\w{0,99}$/.test(name)) {
      note('its name cannot be a command’s: letters, digits and _');
      continue;
    }
    const context = contextOf(shown);
    const known = commands.get(name.toLowerCase());
    if (known !== undefined) {
      note(`${known.context} has a command ${known.name} already, and contexts are flattened here; it is left out`);
      continue;
    }
    const { command, notes: clauses } = await readFileAt(path, shown, name, context);
    clauses.forEach(note);
    if (command === null) continue;
    commands.set(name.toLowerCase(), command);
    read.push(shown);
    if (context !== '*') note(`its context ${context} is flattened: the command is always offered`);
  }
  if (commands.size === 0)
    throw new PackError(`${folder}: no command could be read; ${notes[0] ?? `${COMMANDS} is empty.`}`);
  const known = [...commands.values()].map(withKnownTraits);
  const withoutCommand = knownWithoutCommand(known);
  const catalogue: CatalogueFile = { commands: known, ...(withoutCommand.length === 0 ? {} : { withoutCommand }) };
  return { catalogue, weights: trainForImport(readCatalogue(catalogue)), read, notes };
}

async function readFileAt(path: string, shown: string, name: string, context: string) {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MAX_FILE_BYTES) return { command: null, notes: ['it is too large to be a command'] };
    return readCommandFile(shown, decodeText(shown, bytes), name, context);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    const reason = error.message.replace(`${shown}:`, 'line ').replace(/\.$/, '');
    return { command: null, notes: [`${reason}; it is left out`] };
  }
}

/** `_commands/User/send.py` → `User` */
function contextOf(shown: string): string {
  const folders = shown.split('/').slice(1, -1);
  return folders.length === 0 ? '*' : folders.join('/');
}

const OWN_CATALOGUES = (DOMAIN_CATALOGUES.domains ?? []).map(catalogueOf);

/** Tools without a command of the domains whose commands these are. */
function knownWithoutCommand(commands: readonly CommandDefinition[]): readonly string[] {
  const known = OWN_CATALOGUES.filter(({ find }) => commands.every(({ name }) => find(name) !== undefined));
  return [...new Set(known.flatMap(({ withoutCommand }) => withoutCommand))];
}

/**
 * Adds what Python files do not say and is known of tau-bench's tools: which only read, and which texts may be empty. Of
 * other commands it is for people to say in the catalogue's file.
 */
function withKnownTraits(command: CommandDefinition): CommandDefinition {
  const known = OWN_CATALOGUES.map(({ find }) => find(command.name));
  const isRead = known.some((tool) => tool?.isRead === true);
  const mayBeEmpty = new Set(
    known.flatMap((tool) => tool?.fields.filter((field) => field.mayBeEmpty === true).map(({ name }) => name) ?? []),
  );
  const fields = command.fields.map((field) =>
    field.type === 'text' && mayBeEmpty.has(field.name) ? { ...field, mayBeEmpty: true as const } : field,
  );
  return { ...command, fields, ...(isRead ? { isRead } : {}) };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py') && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name));
}
