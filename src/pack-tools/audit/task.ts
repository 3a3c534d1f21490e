/** The input of the checks (a task with its replay, and its pack) and their findings. */

import { domains, type Action, type AuditDomain, type Identity, type Task } from '../../benchmarks/index.ts';
import { dumpJson, isDict, type PyDict } from '../../benchmarks/python/index.ts';
import { toolName, type Pack } from '../../benchmarks/packs/index.ts';
import type { ReplayedCall, TaskReplay } from './replay.ts';
import { PackRecords } from './data.ts';

/**
 * Severity of a finding. `wrong`: the ground truth cannot be right. `suspicious`: it may be right, but should be
 * checked. `remark`: a fact about the task, not a mistake.
 */
export const SEVERITIES = ['wrong', 'suspicious', 'remark'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Kinds of findings in the order of the report, with their titles. */
export const FINDING_KINDS = {
  'unknown-tool': 'calls a tool that the environment does not have',
  'refused-arguments': "has arguments that the tool's schema refuses",
  'failing-call': 'has a call that is answered with an error',
  'no-op-write': 'writes what was there already',
  'undone-write': 'takes back what it wrote',
  'repeated-read': 'reads the same thing twice',
  'output-form': 'wants words that the grader cannot judge',
  'unreachable-output': 'wants words that come from nowhere',
  'ambiguous-output': 'wants words that occur inside others',
  'derived-output': 'wants a figure that has to be worked out',
  'unread-output': 'wants words that its ground truth does not read',
  'missing-identity': 'does not say who the user is',
  'other-identity': 'names another user than its own',
  'ungrounded-value': 'writes values that come from nowhere',
  'unread-value': 'writes values that its ground truth does not read',
  'contradicting-tasks': 'is graded otherwise than a task of the same words',
  'duplicate-task': 'repeats another task',
  'early-end': 'goes on after the call that ends the episode',
  'too-many-steps': 'needs more steps than a run has by default',
  'ungraded-truth': 'has a ground truth that is not graded as good',
  'do-nothing': 'is solved by doing nothing',
  'words-only': 'changes no data and is graded by its words alone',
} as const satisfies Readonly<Record<string, string>>;
export type FindingKind = keyof typeof FINDING_KINDS;

export interface Finding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly split: string;
  /** Id of the task, its position in the split. */
  readonly task: number;
  /** The finding in one sentence. */
  readonly text: string;
  /** The evidence for the sentence: calls, observations, values. */
  readonly evidence: readonly string[];
}

export interface SplitAudit {
  readonly split: string;
  readonly tasks: number;
  /** Ids of the tasks that reward an agent without any action or message. */
  readonly doNothing: readonly number[];
  /** Share of the tasks in `doNothing`, from 0 to 1, the score of an agent that does nothing. */
  readonly floor: number;
  /** Ids of the tasks whose final data equal the initial data, ignoring outputs. */
  readonly unchanged: readonly number[];
  /** Ids of the tasks with a finding that is `wrong`. */
  readonly wrong: readonly number[];
  /** Share of the tasks without a `wrong` finding, from 0 to 1. */
  readonly ceiling: number;
}

export interface AuditReport {
  readonly splits: readonly SplitAudit[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** Findings sorted by kind, severity and task. */
  readonly findings: readonly Finding[];
}

export type { Identity };

/** Default facts for the audit: people are users with an id, and writes are found by replaying. */
const OTHERS: AuditDomain = { people: 'users', identities: [['id']], writes: [] };

function auditDomain(name: string): AuditDomain {
  return domains.get(name)?.audit ?? OTHERS;
}

export interface AuditedTask {
  readonly split: string;
  readonly id: number;
  readonly task: Task;
  readonly replay: TaskReplay;
}

export interface PackContext {
  readonly pack: Pack;
  readonly domain: AuditDomain;
  readonly records: PackRecords;
  /** Schema of each tool's parameters. */
  readonly parameters: ReadonlyMap<string, PyDict>;
  /** Tools that change data: named by the domain, or found by replaying. */
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
    records: new PackRecords(pack.tables, domain.people),
    parameters: new Map<string, PyDict>(parameters),
    writes: new Set([...domain.writes, ...calls.filter(({ wrote }) => wrote).map(({ action }) => action.name)]),
  };
}

export function isWriteCall(call: ReplayedCall, context: PackContext): boolean {
  return call.kind === 'tool' && context.writes.has(call.action.name);
}

export function finding(
  { split, id }: AuditedTask,
  kind: FindingKind,
  severity: Severity,
  text: string,
  evidence: readonly string[] = [],
): Finding {
  return { kind, severity, split, task: id, text, evidence };
}

/** Formats a call: `actions[3] cancel_pending_order {"order_id": …}`. */
export function callText({ position, action }: ReplayedCall): string {
  return `${placeText(position)} ${action.name} ${dumpJson(action.kwargs)}`;
}

export function placeText(position: number): string {
  return `actions[${String(position)}]`;
}

/** Formats an action; two actions are equal if their texts are equal. */
export function actionText({ name, kwargs }: Action): string {
  return `${name} ${dumpJson(new Map(Array.from(kwargs).sort(([a], [b]) => (a < b ? -1 : 1))))}`;
}
