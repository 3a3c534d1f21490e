/** An episode of an agent from a file, on a worker that was not given the file, and on one that was. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

import { loadAgent } from '../../src/agents/from-file/load.ts';
import { eventually } from '../helpers/eventually.ts';
import { quickModel } from './models.ts';
import { startRig } from './rig.ts';
import type { Rig } from './rig-on-server.ts';

const template = fileURLToPath(new URL('../fixtures/new-agent/my-agent.ts', import.meta.url));

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it('waits, says what is missing, and goes on where the file is', { timeout: 180_000 }, async () => {
  const logDir = await mkdtemp(join(tmpdir(), 'tauflow-log-'));
  ends.push(() => rm(logDir, { recursive: true, force: true }));
  const { file, ...agent } = await loadAgent(template);
  let rig: Rig = await startRig({ callModel: quickModel, logDir });
  const { runId } = rig.run;
  const { omitPolicy, useReasoning } = rig.config().strategyOptions;
  const input = rig.episodeInput(
    {},
    { strategy: agent.strategy.name, strategyOptions: { omitPolicy, useReasoning, agentFile: file } },
  );
  const { workflowId } = await rig.startEpisode(input);
  try {
    await eventually(async () => {
      const { events = [] } = await rig.client.workflow.getHandle(workflowId).fetchHistory();
      const failures = (events ?? []).map((event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? '');
      expect(failures.join()).toMatch(/this worker has no agent plan-first with digest \w{12} \(.*worker --agent-str/);
    });
  } finally {
    await rig.stop();
  }
  const broken = join(logDir, 'broken.js');
  await writeFile(
    broken,
    "export default { name: 'broken', label: 'B', solve: async (session) => session.nothing.x };",
  );
  const other = await loadAgent(broken);
  rig = await startRig({ callModel: quickModel, logDir, runId, agents: [{ file, ...agent }, other] });
  ends.push(() => rig.stop());
  expect(await rig.client.workflow.getHandle(workflowId).result()).toMatchObject({ outcome: 'user_stop', error: null });
  const record = await rig.log.readEpisode(input.episode);
  expect(record).toMatchObject({
    config: { strategy: 'plan-first', strategyOptions: { agentFile: { digest: file.digest } } },
    counts: { plan_lines: 1 },
  });
  expect(record?.usage.map(({ role }) => role)).toEqual(expect.arrayContaining(['agent/planner', 'agent', 'user']));

  const { workflowId: id } = await rig.startEpisode(
    rig.episodeInput(
      { taskId: 1 },
      { strategy: 'broken', strategyOptions: { omitPolicy, useReasoning, agentFile: other.file } },
    ),
  );
  const failure: unknown = await rig.client.workflow
    .getHandle(id)
    .result()
    .catch((error: unknown) => error);
  const message: unknown = expect.stringMatching(/the agent broken has thrown TypeError: /);
  expect(failure).toMatchObject({ cause: { message } });
  expect(await rig.log.readEpisode({ taskId: 1, trial: 0 })).toMatchObject({
    outcome: { kind: 'infrastructure_error', error: 'AgentBroken' },
  });
});
