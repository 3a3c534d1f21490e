/** The flags of `tauflow report`. */

import { UsageError } from '../../errors/index.ts';
import type { SubjectFlags } from '../regrade/subject.ts';

export const FORMATS = ['table', 'json', 'markdown', 'csv', 'junit', 'html'] as const;
export type ReportFormat = (typeof FORMATS)[number];

export interface ReportFlags extends SubjectFlags {
  readonly logDir: string;
  readonly format: ReportFormat;
  readonly json?: boolean;
  readonly output?: string;
  readonly temporalUi?: string;
  readonly failUnder?: string;
  readonly asTrials?: boolean;
}

export function formatOf({ format, json }: ReportFlags): ReportFormat {
  return json === true ? 'json' : format;
}

/** @throws UsageError for what is no share */
export function failUnderOf({ failUnder }: ReportFlags): number | undefined {
  if (failUnder === undefined) return undefined;
  const share = Number(failUnder);
  if (failUnder.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new UsageError('--fail-under must be a number from 0 to 1.');
}

/** Without the slash at its end. @throws UsageError for what is no web address */
export function temporalUiOf({ temporalUi }: ReportFlags): string | undefined {
  if (temporalUi === undefined) return undefined;
  if (/^https?:\/\/[^\s/]/.test(temporalUi) && URL.canParse(temporalUi)) return temporalUi.replace(/(?<!\/)\/+$/, '');
  throw new UsageError(`--temporal-ui must be a web address such as http://127.0.0.1:8233, not "${temporalUi}".`);
}
