/** FastWorkflow over the benchmark's own environment: a model that writes the ground truth as commands. */

import { expect, it } from 'vitest';
import { catalogueOf } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { writeCommand } from '../../../src/agents/index.ts';
import { applyAction, openOverlay, type EnvData } from '../../../src/benchmarks/index.ts';
import { parseJson, isDict, isList } from '../../../src/benchmarks/python/index.ts';
import { readDomain } from '../../benchmarks/helpers.ts';
import { describeWithReference, referenceLines } from '../../helpers/reference.ts';
import { fakeSession, OPTIONS } from '../fake-session.ts';
import { answerReply, commandReply, finishReply, planReply } from './replies.ts';

interface GoldenReplay {
  readonly task_index: number;
  readonly steps: readonly { readonly name: string; readonly kwargs: object; readonly observation: string }[];
}

/** Runs commands as a model would that plans once and answers once; returns what the agent saw of each. */
async function observe(data: EnvData, commands: readonly string[]) {
  const overlay = openOverlay(data);
  const session = fakeSession({
    strategy: fastWorkflow,
    env: data.domain,
    replies: [planReply(), ...commands.map(commandReply), finishReply(), answerReply()],
    tool: (action) => applyAction(data, overlay, action).observation,
    maxSteps: 100,
  });
  // Some ground truths read the same three times, which is refused in a newer episode.
  const end = await fastWorkflow.solve(session, { ...OPTIONS, isOfVersion1: true });
  const tools = session.trajectory.filter((message) => message.role === 'tool');
  return { end, session, observations: tools.map((message) => message.content) };
}

describeWithReference('FastWorkflow on the benchmark’s data', (dir) => {
  const retail = readDomain(dir, 'retail');
  const airline = readDomain(dir, 'airline');

  it.each([
    ['retail', 'test', retail],
    ['retail', 'dev', retail],
    ['airline', 'test', airline],
  ])('observes on the ground truth of %s, %s split, what the reference observes', async (domain, split, data) => {
    for (const line of referenceLines(dir, `golden/${domain}-${split}.jsonl`)) {
      const golden = JSON.parse(line) as GoldenReplay;
      const lossless = parseJson(line);
      const steps = isDict(lossless) ? lossless.get('steps') : undefined;
      if (!isList(steps)) throw new Error('a recording without steps');
      const commands = steps.flatMap((step) => {
        const kwargs = isDict(step) ? step.get('kwargs') : undefined;
        const name = isDict(step) ? step.get('name') : undefined;
        return typeof name === 'string' && isDict(kwargs) && catalogueOf(domain).find(name)
          ? [writeCommand(name, kwargs)]
          : [];
      });
      const { end, observations } = await observe(data, commands);
      expect(end).toBe('done');
      const expected = golden.steps
        .filter((step) => catalogueOf(domain).find(step.name))
        .map((step) => step.observation);
      expect({ task: golden.task_index, observations }).toEqual({ task: golden.task_index, observations: expected });
    }
  });

  it('sees its own writes in retail', async () => {
    const pending = '<order_id>#W5918442</order_id>';
    const { session } = await observe(retail, [
      `get_order_details ${pending}`,
      `cancel_pending_order ${pending} <reason>no longer needed</reason>`,
      `get_order_details ${pending}`,
    ]);
    const seen = session.asked.at(-1)?.messages[1]?.content ?? '';
    expect(seen.slice(seen.indexOf('observation_2'))).toContain('"status": "cancelled"');
  });

  it('books in airline what it was asked to, with amounts as they are written, and sees it', async () => {
    const { session, observations } = await observe(airline, [
      'book_reservation <user_id>mia_li_3668</user_id> <origin>JFK</origin> <destination>SEA</destination> ' +
        '<flight_type>one_way</flight_type> <cabin>economy</cabin> ' +
        '<flights>[{"flight_number": "HAT136", "date": "2024-05-20"}, {"flight_number": "HAT039", "date": "2024-05-20"}]</flights> ' +
        '<passengers>[{"first_name": "Mia", "last_name": "Li", "dob": "1990-04-05"}]</passengers> ' +
        '<payment_methods>[{"payment_id": "certificate_7504069", "amount": 250}, {"payment_id": "credit_card_4421486", "amount": 5}]</payment_methods> ' +
        '<total_baggages>3</total_baggages> <nonfree_baggages>0</nonfree_baggages> <insurance>no</insurance>',
      'get_reservation_details <reservation_id>HATHAT</reservation_id>',
      'get_user_details <user_id>mia_li_3668</user_id>',
    ]);
    const [booked, reservation, user] = observations;
    expect(booked).toContain('"payment_history": [{"payment_id": "certificate_7504069", "amount": 250}, ');
    expect(booked).toContain('"total_baggages": 3, "nonfree_baggages": 0, "insurance": "no"');
    expect(reservation).toBe(booked);
    expect(user).toContain('"HATHAT"');
    expect(user).not.toContain('certificate_7504069');
    expect(session.counts.get('intent_exact')).toBe(3);
    expect(session.counts.get('extractions')).toBeUndefined();
  });

  it.each([
    ['10 + 5 * 2', '## ]]\n20.0\n'],
    ['10 / 0', '## ]]\nError: '],
  ])('calculates %s as the benchmark does', async (expression, expected) => {
    for (const data of [retail, airline]) {
      const { session } = await observe(data, [`calculate <expression>${expression}</expression>`]);
      expect(session.asked.at(-1)?.messages[1]?.content).toContain(expected);
    }
  });
});
