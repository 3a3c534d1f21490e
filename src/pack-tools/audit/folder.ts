/** The audit of a pack that lies in a folder, together with what verifying it says. */

import { PackError, inspectPack, readPack, type PackReport } from '../../packs/index.ts';
import { auditPack } from './audit.ts';
import type { AuditReport } from './types.ts';

export interface AuditedPack extends PackReport {
  /** Null when the pack could not be read, or the program does not know its domain. */
  readonly audit: AuditReport | null;
}

/** Never rejects for what is wrong with the pack: that is in the report. */
export async function auditFolder(folder: string): Promise<AuditedPack> {
  try {
    const pack = await readPack(folder);
    return { folder, problems: [], ...inspectPack(folder, pack), audit: auditPack(pack) };
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { folder, problems: error.problems, warnings: [], summary: null, audit: null };
  }
}
