/** What a pack of each domain consists of. Its files' names are the format; what they mean is in `read.ts`. */

import { domains, getDomain } from '../benchmark/index.ts';

/** One of {@link DOMAINS}. */
export type Domain = string;

/** The domains that packs can be of: those whose behaviour the program has. */
export const DOMAINS: readonly Domain[] = Array.from(domains.keys());

export function isDomain(name: string): boolean {
  return domains.has(name);
}

/** The domain's tables in the order in which the environment's data has them. A table's file is `<table>.json`. */
export function tablesOf(domain: Domain): readonly string[] {
  return getDomain(domain).tables;
}

/** Files that every pack has besides its tables and at least one `tasks-<split>.json`. */
const TEXT_FILES = [
  'agent-prompts.json',
  'rules.json',
  'terminate_tools.json',
  'tools.json',
  'user-prompts.json',
  'wiki.md',
] as const;

export const MANIFEST_FILE = 'pack.json';

/** Displays of solved conversations, one JSON object with `messages_display` a line. A pack may have none. */
export const FEW_SHOT_FILE = 'few-shot.jsonl';

const TASK_FILE = /^tasks-([A-Za-z0-9][A-Za-z0-9_.-]*)\.json$/;

/** The split that a file holds the tasks of; undefined when it is no task file. */
export function splitOfFile(file: string): string | undefined {
  return TASK_FILE.exec(file)?.[1];
}

export function tableFile(table: string): string {
  return `${table}.json`;
}

/** The files that a pack of the domain cannot do without, task files aside. */
export function requiredFiles(domain: Domain): string[] {
  return [...tablesOf(domain).map(tableFile), ...TEXT_FILES].sort();
}

/** Whether a file of that name belongs to a pack of the domain; others in its folder are left alone. */
export function isPackFile(domain: Domain, file: string): boolean {
  return splitOfFile(file) !== undefined || file === FEW_SHOT_FILE || requiredFiles(domain).includes(file);
}

/**
 * The domain of a folder without a manifest: the one whose own tables lie in it, else the one that the folder's
 * name ends with.
 */
export function recogniseDomain(folderName: string, files: readonly string[]): Domain | undefined {
  return (
    DOMAINS.find((domain) => ownTables(domain).some((table) => files.includes(tableFile(table)))) ??
    DOMAINS.find((domain) => folderName.toLowerCase().endsWith(domain))
  );
}

/** The tables that no other domain has. */
export function ownTables(domain: Domain): readonly string[] {
  return tablesOf(domain).filter((table) =>
    DOMAINS.every((other) => other === domain || !tablesOf(other).includes(table)),
  );
}
