/** Audits the tasks of a pack: finds ground truths that cannot be right. */

export { auditFolder, auditPack, type AuditedPack } from './audit.ts';
export { FINDING_KINDS, SEVERITIES, type AuditReport, type Finding, type Severity, type SplitAudit } from './task.ts';
