/** What the checks are given: a task with its replay, and what is known about its pack. */

import { dumpJson, isDict, type PyDict } from '../../benchmark/python/index.ts';
import type { Action, Task } from '../../benchmark/index.ts';
import { toolName, type Pack } from '../../packs/index.ts';
import { auditDomain, type AuditDomain } from './domains.ts';
import type { Call, TaskReplay } from './replay.ts';
import type { Finding, FindingKind, Severity } from './types.ts';
import { World } from './world.ts';

export interface AuditedTask {
  readonly split: string;
  readonly id: number;
  readonly task: Task;
  readonly replay: TaskReplay;
}

export interface PackContext {
  readonly pack: Pack;
  readonly domain: AuditDomain;
  readonly world: World;
  /** Tool → schema of its parameters. */
  readonly parameters: ReadonlyMap<string, PyDict>;
  /** Tools that change data: those the domain's entry names, and those that were seen to. */
  readonly writes: ReadonlySet<string>;
}

export type TaskCheck = (audited: AuditedTask, context: PackContext) => Finding[];

export function packContext(pack: Pack, tasks: readonly AuditedTask[]): PackContext {
  const domain = auditDomain(pack.domain);
  const calls = tasks.flatMap(({ replay }) => replay.calls);
  const parameters = pack.tools.map((tool) => {
    const described = isDict(tool) ? tool.get('function') : undefined;
    const schema = isDict(described) ? described.get('parameters') : undefined;
    return [toolName(tool), isDict(schema) ? schema : new Map<string, never>()] as const;
  });
  return {
    pack,
    domain,
    world: new World(pack.tables, domain.people),
    parameters: new Map<string, PyDict>(parameters),
    writes: new Set([...domain.writes, ...calls.filter(({ wrote }) => wrote).map(({ action }) => action.name)]),
  };
}

export function isWrite(call: Call, context: PackContext): boolean {
  return call.kind === 'tool' && context.writes.has(call.action.name);
}

/** Makes a finding about the task. */
export function finding(
  { split, id }: AuditedTask,
  kind: FindingKind,
  severity: Severity,
  text: string,
  evidence: readonly string[] = [],
): Finding {
  return { kind, severity, split, task: id, text, evidence };
}

/** `actions[3] cancel_pending_order {"order_id": …}`. */
export function callText({ position, action }: Call): string {
  return `${placeText(position)} ${action.name} ${dumpJson(action.kwargs)}`;
}

export function placeText(position: number): string {
  return `actions[${String(position)}]`;
}

/** Two actions are the same when the texts are. */
export function actionText({ name, kwargs }: Action): string {
  return `${name} ${dumpJson(new Map(Array.from(kwargs).sort(([a], [b]) => (a < b ? -1 : 1))))}`;
}
