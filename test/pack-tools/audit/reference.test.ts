import { join } from 'node:path';
import { expect, it } from 'vitest';
import { auditFolder, type AuditReport, type Finding, type Severity } from '../../../src/pack-tools/audit/index.ts';
import { describeWithReference } from '../../helpers/reference.ts';

async function auditOf(dir: string, domain: string): Promise<AuditReport> {
  const { audit } = await auditFolder(join(dir, domain));
  if (audit === null) throw new Error(`no audit of ${domain}`);
  return audit;
}

/** Kind → ids of the tasks of the test split. */
function tasksByKind({ findings }: AuditReport, severity: Severity): Partial<Record<Finding['kind'], number[]>> {
  const found: Partial<Record<Finding['kind'], number[]>> = {};
  for (const finding of findings) {
    if (finding.severity !== severity || finding.split !== 'test') continue;
    const ids = (found[finding.kind] ??= []);
    if (!ids.includes(finding.task)) ids.push(finding.task);
  }
  return found;
}

describeWithReference('auditing the reference', (dir) => {
  it("knows retail's floor and its one ground truth that cannot be right", async () => {
    const audit = await auditOf(dir, 'retail');
    expect(audit.splits.map(({ split, doNothing, wrong }) => ({ split, doNothing, wrong }))).toEqual([
      { split: 'dev', doNothing: [17], wrong: [] },
      { split: 'test', doNothing: [10, 12, 25, 50, 57, 65, 106], wrong: [106] },
    ]);
    expect(audit.splits[1]?.floor).toBeCloseTo(7 / 115);
    expect(audit.splits[1]?.unchanged).toEqual([10, 12, 24, 25, 50, 57, 62, 65, 67, 68, 106]);
    expect(tasksByKind(audit, 'wrong')).toEqual({ 'failing-call': [106] });
    expect(tasksByKind(audit, 'suspicious')).toEqual({
      'failing-call': [12],
      'no-op-write': [111],
      'undone-write': [22],
      'ambiguous-output': [2, 3, 4, 43],
      'duplicate-task': [95],
    });
  });

  it("reports retail's remarks, the 17 other tasks with a call that fails among them", async () => {
    const remarks = tasksByKind(await auditOf(dir, 'retail'), 'remark');
    expect(remarks['unread-value']).toHaveLength(47);
    expect({ ...remarks, 'unread-value': undefined }).toEqual({
      'failing-call': [2, 3, 4, 13, 21, 35, 36, 37, 38, 39, 46, 47, 54, 55, 64, 67, 68],
      'repeated-read': [2, 3, 4, 21, 28, 30, 31, 32],
      'derived-output': [2, 3, 4, 21, 34, 54, 59, 96, 109],
      'unread-output': [19, 24, 76, 89, 104, 105],
      'other-identity': [64],
      'duplicate-task': [37, 42, 72, 84, 98],
      'do-nothing': [10, 12, 25, 50, 57, 65, 106],
      'words-only': [24, 62, 67, 68],
    });
  });

  it("knows airline's floor, and the date of birth that nobody has", async () => {
    const audit = await auditOf(dir, 'airline');
    expect(audit.splits).toMatchObject([{ split: 'test', tasks: 50, floor: 0.38, wrong: [25] }]);
    expect(tasksByKind(audit, 'wrong')).toEqual({ 'ungrounded-value': [25] });
    expect(tasksByKind(audit, 'suspicious')).toEqual({ 'ambiguous-output': [44] });
    expect(audit.findings.find(({ severity }) => severity === 'wrong')?.evidence).toEqual([
      'actions[0] passengers[0].dob "1985-04-04"',
    ]);
  });
});
