import { describe, expect, it } from 'vitest';
import { firstScreen, subjectOfRun } from '../../src/results/report/index.ts';
import { shortAgentName, buildReport } from '../../src/results/report/testing.ts';
import { renderTerminal } from '../../src/cli/terminal/testing.ts';
import type { RunManifest } from '../../src/run-log/index.ts';
import type { EvaluationConfig, ModelSettings } from '../../src/evaluation/index.ts';
import { UsageLedger } from '../../src/episode/index.ts';
import { CONFIG, row } from './fixtures.ts';

describe('the name of a service in a leaderboard row', () => {
  it.each([
    ['fastworkflow-python retail 3.6.0 dspy 3.1.0 litellm 1.80.0 intent 1a2b3c4d set 5e6f7a8b', 'FW 3.6.0'],
    ['my-agent 1.2.0', 'my-agent 1.2.0'],
    ['shop helper v2 with a long tail of words', 'shop helper v2'],
    ['fn a772a3dce95c', 'fn a772a3dce95c'],
    ['nameless', 'nameless'],
    ['3.1', '3.1'],
    [`${'x'.repeat(80)} 1`, `${'x'.repeat(29)}… 1`],
  ])('is short: %s', (name, short) => {
    expect(shortAgentName(name)).toBe(short);
  });
});

describe('the model of a service', () => {
  const SCRIPTED: ModelSettings = { provider: 'scripted', model: 'oracle:0.8', temperature: null };
  const NOTE = 'The model was scripted (oracle:0.8): it plays.';
  const manifest: Omit<RunManifest, 'config'> = {
    ...{ formatVersion: 1, runId: 'run-1', status: 'completed', label: 'service', notes: [NOTE], versions: {} },
    ...{ startedAt: '2025-01-01T00:00:00.000Z', endedAt: '2025-01-01T00:01:00.000Z', temporal: null },
    ...{ plan: { taskIds: [1], numTrials: 1, shuffle: false }, maxConcurrency: 1, maxCostUsd: null },
  };
  const usage = (calls: number, models?: readonly string[]) => {
    const [agent] = row(1, 0, 1).roles;
    if (agent === undefined) throw new Error('the row has no role');
    return [{ ...agent, role: 'agent', calls, ...(models === undefined ? {} : { models }) }];
  };
  const reportOn = (agentModel: ModelSettings | null, roles: ReturnType<typeof usage>) => {
    const strategyOptions = { ...CONFIG.strategyOptions, agentName: 'fastworkflow-python retail 3.6.0 dspy 3.1.0' };
    const config: EvaluationConfig = { ...CONFIG, strategy: 'agent-service', strategyOptions, agentModel };
    return buildReport(subjectOfRun({ ...manifest, config }), [{ ...row(1, 0, 1), roles }]);
  };

  it.each<[string, ModelSettings | null, ReturnType<typeof usage>, string, boolean]>([
    ['that it never called', SCRIPTED, usage(0), 'models of its own', false],
    ['that it reports instead', SCRIPTED, usage(3, ['gpt-5.6']), 'gpt-5.6', false],
    ['that it called', SCRIPTED, usage(3, ['oracle:0.8']), 'oracle:0.8', true],
    ['under a longer name', CONFIG.agentModel, usage(3, ['gpt-4o-2024-08-06']), 'gpt-4o', true],
    ['of its own, which it names', null, usage(2, ['a', 'b', 'c', 'd']), 'a + b + c + 1 more', false],
    ['of its own, of which nothing is known', null, usage(0), 'models of its own', false],
    ['of records that name none', SCRIPTED, usage(3), 'oracle:0.8', true],
  ])('is the one %s', (_what, model, roles, label, isNoted) => {
    const report = reportOn(model, roles);
    expect(report.leaderboardRow).toBe(`| FW 3.6.0 (${label}) | 1.000 | ?? | ?? | ?? |`);
    expect(report.subject.agentModel).toBe(label);
    expect(report.remarks.includes(NOTE)).toBe(isNoted);
  });

  it('leaves what else the agent says of itself below the row', () => {
    const shown = renderTerminal(firstScreen(reportOn(null, usage(2, ['gpt-5.6']))), { columns: 200, color: false });
    expect(shown).toMatch(
      /\| FW 3\.6\.0 \(gpt-5\.6\) \|.*\n.*FW 3\.6\.0: fastworkflow-python retail 3\.6\.0 dspy 3\.1\.0/,
    );
  });

  it('is entered with the calls that were made for it, and with those that it reports', () => {
    const ledger = new UsageLedger();
    const tokens = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 };
    const reply = {
      status: 200,
      body: '{}',
      finishReason: 'stop',
      usage: tokens,
      costUsd: 0,
      latencyMs: 1,
      attempt: 1,
    };
    ledger.enterForwarded('agent', { ...reply, servedModel: 'a' });
    ledger.enterForwarded('agent', { ...reply, servedModel: 'a' });
    ledger.enterReported('agent', { ...tokens, calls: 2, costUsd: 0, model: 'b' });
    ledger.enterUnknown('agent');
    expect(ledger.roles()).toMatchObject([{ role: 'agent', calls: 4, models: ['a', 'b'] }]);
  });
});
