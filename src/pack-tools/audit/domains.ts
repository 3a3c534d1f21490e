/** What the audit is told about a domain. */

import { domains, type AuditDomain, type Identity } from '../../benchmark/index.ts';

export type { AuditDomain, Identity };

/** For a domain that says nothing: people are users, known by their id, and writes are known when they are seen. */
const OTHERS: AuditDomain = { people: 'users', identities: [['id']], writes: [] };

export function auditDomain(name: string): AuditDomain {
  return domains.get(name)?.audit ?? OTHERS;
}
