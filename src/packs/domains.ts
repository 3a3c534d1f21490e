/** What a pack of each domain consists of. Its files' names are the format; what they mean is in `read.ts`. */

/** Domain → its tables in the order in which the environment's data has them. A table's file is `<table>.json`. */
export const DOMAIN_TABLES = {
  retail: ['orders', 'products', 'users'],
  airline: ['flights', 'reservations', 'users'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Domain = keyof typeof DOMAIN_TABLES;

export const DOMAINS: readonly Domain[] = ['retail', 'airline'];

export function isDomain(name: string): name is Domain {
  return Object.hasOwn(DOMAIN_TABLES, name);
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
  return [...DOMAIN_TABLES[domain].map(tableFile), ...TEXT_FILES].sort();
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
  const own = (domain: Domain): readonly string[] =>
    DOMAIN_TABLES[domain].filter((table) => DOMAINS.every((d) => d === domain || !hasTable(d, table)));
  return (
    DOMAINS.find((domain) => own(domain).some((table) => files.includes(tableFile(table)))) ??
    DOMAINS.find((domain) => folderName.toLowerCase().endsWith(domain))
  );
}

function hasTable(domain: Domain, table: string): boolean {
  return (DOMAIN_TABLES[domain] as readonly string[]).includes(table);
}
