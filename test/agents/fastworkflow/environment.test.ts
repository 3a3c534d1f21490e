/** FastWorkflow over the benchmark's own environment: a model that writes the ground truth as commands. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { catalogueOf } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { writeCommand } from '../../../src/agents/fastworkflow/cme/parameters/xml.ts';
import { applyAction, type EnvData, openOverlay } from '../../../src/bench/environment.ts';
import { parseJson } from '../../../src/bench/python/json.ts';
import { isDict, isList } from '../../../src/bench/python/value.ts';
import { describeWithReference, referenceLines } from '../../helpers/reference.ts';
import { fakeSession, OPTIONS } from '../fake-session.ts';
import { answerReply, commandReply, finishReply, planReply } from './replies.ts';

interface GoldenReplay {
  readonly task_index: number;
  readonly steps: readonly { readonly name: string; readonly kwargs: object; readonly observation: string }[];
}

function readEnvironment(dir: string): EnvData {
  const tables = ['orders', 'products', 'users'].map(
    (table) => [table, parseJson(readFileSync(join(dir, `retail/${table}.json`), 'utf8'))] as const,
  );
  return { domain: 'retail', tables: new Map(tables), terminateTools: ['transfer_to_human_agents'] };
}

/** Runs commands as a model would that plans once and answers once; returns what the agent saw of each. */
async function observe(data: EnvData, commands: readonly string[]) {
  const overlay = openOverlay(data);
  const session = fakeSession({
    strategy: fastWorkflow,
    replies: [planReply(), ...commands.map(commandReply), finishReply(), answerReply()],
    tool: (action) => applyAction(data, overlay, action).observation,
    maxSteps: 100,
  });
  const end = await fastWorkflow.solve(session, OPTIONS);
  const tools = session.trajectory.filter((message) => message.role === 'tool');
  return { end, session, observations: tools.map((message) => message.content) };
}

describeWithReference('FastWorkflow on the benchmark’s data', (dir) => {
  const data = readEnvironment(dir);

  it.each(['test', 'dev'])(
    'observes on the ground truth of the %s split what the reference observes',
    async (split) => {
      for (const line of referenceLines(dir, `golden/retail-${split}.jsonl`)) {
        const golden = JSON.parse(line) as GoldenReplay;
        const lossless = parseJson(line);
        const steps = isDict(lossless) ? lossless.get('steps') : undefined;
        if (!isList(steps)) throw new Error('a recording without steps');
        const commands = steps.flatMap((step) => {
          const kwargs = isDict(step) ? step.get('kwargs') : undefined;
          const name = isDict(step) ? step.get('name') : undefined;
          return typeof name === 'string' && isDict(kwargs) && catalogueOf('retail').find(name)
            ? [writeCommand(name, kwargs)]
            : [];
        });
        const { end, observations } = await observe(data, commands);
        expect(end).toBe('done');
        const expected = golden.steps
          .filter((step) => catalogueOf('retail').find(step.name))
          .map((step) => step.observation);
        expect({ task: golden.task_index, observations }).toEqual({ task: golden.task_index, observations: expected });
      }
    },
  );

  it('sees its own writes', async () => {
    const pending = '<order_id>#W5918442</order_id>';
    const { session } = await observe(data, [
      `get_order_details ${pending}`,
      `cancel_pending_order ${pending} <reason>no longer needed</reason>`,
      `get_order_details ${pending}`,
    ]);
    const seen = session.asked.at(-1)?.messages[1]?.content ?? '';
    expect(seen.slice(seen.indexOf('observation_2'))).toContain('"status": "cancelled"');
  });

  it.each([
    ['10 + 5 * 2', '"observation": "20.0"'],
    ['10 / 0', '"observation": "Error: '],
  ])('calculates %s as the benchmark does', async (expression, expected) => {
    const { session } = await observe(data, [`calculate <expression>${expression}</expression>`]);
    expect(session.asked.at(-1)?.messages[1]?.content).toContain(expected);
  });
});
