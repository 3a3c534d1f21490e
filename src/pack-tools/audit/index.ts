export { auditPack } from './audit.ts';
export { auditFolder, type AuditedPack } from './folder.ts';
export { FINDING_KINDS, SEVERITIES, type AuditReport, type Finding, type Severity, type SplitAudit } from './types.ts';
