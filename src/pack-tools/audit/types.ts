/** What an audit of a pack says: findings about tasks whose ground truth cannot be right, or may not be. */

/**
 * `wrong`: no reading makes the ground truth right. `suspicious`: somebody should look at it, a right reading may
 * exist. `remark`: a fact about the task that is worth knowing, and no fault.
 */
export const SEVERITIES = ['wrong', 'suspicious', 'remark'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Kinds in the order of the report, each with its title there. */
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
  'missing-identity': 'does not say who the customer is',
  'other-identity': 'names another customer than its own',
  'ungrounded-value': 'writes values that come from nowhere',
  'unread-value': 'writes values that its ground truth does not read',
  'contradicting-tasks': 'is graded otherwise than a task of the same words',
  'duplicate-task': 'repeats another task',
  'early-end': 'goes on after the call that ends the episode',
  'too-many-steps': 'needs more steps than a run has by default',
  'do-nothing': 'is solved by doing nothing',
  'words-only': 'changes no data and is graded by its words alone',
} as const satisfies Readonly<Record<string, string>>;
export type FindingKind = keyof typeof FINDING_KINDS;

export interface Finding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly split: string;
  /** The task's id: its position in the split. */
  readonly task: number;
  /** One sentence. */
  readonly text: string;
  /** What the sentence rests on: calls, observations, values. */
  readonly evidence: readonly string[];
}

export interface SplitAudit {
  readonly split: string;
  readonly tasks: number;
  /** Ids of the tasks whose reward an agent gets that does and says nothing. */
  readonly doNothing: readonly number[];
  /** Share of these: the score below which an agent is worse than none. 0 to 1. */
  readonly floor: number;
  /** Ids of the tasks whose final data are those of doing nothing, whatever has to be told. */
  readonly unchanged: readonly number[];
  /** Ids of the tasks with a finding that is `wrong`. */
  readonly wrong: readonly number[];
  /** Share of the tasks without one: 0 to 1. */
  readonly ceiling: number;
}

export interface AuditReport {
  readonly splits: readonly SplitAudit[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** In the order of kinds, then severities, then tasks. */
  readonly findings: readonly Finding[];
}
