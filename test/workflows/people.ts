/** Persons in the place of the simulated user, as tests play them. */

import type { WorkflowHandle } from '@temporalio/client';

import { NO_MODEL } from '../../src/evaluation/index.ts';
import type { SpokenConversation } from '../../src/episode/index.ts';
import { conversation, answer, type episode } from '../../workflows/client.ts';
import { eventually } from '../helpers/eventually.ts';

/** Value for {@link Rig.config}. */
export const HUMAN_USER = { userStrategy: 'human', userModel: NO_MODEL } as const;

/** Waits until the person is asked that question. */
export async function asked(handle: WorkflowHandle<typeof episode>, number: number): Promise<SpokenConversation> {
  return await eventually(async () => {
    const seen = await handle.query(conversation);
    if (seen.question?.number !== number) throw new Error(`question ${number} is not open`);
    return seen;
  });
}

export async function say(handle: WorkflowHandle<typeof episode>, question: number, text: string): Promise<void> {
  await asked(handle, question);
  await handle.executeUpdate(answer, { args: [{ question, text }] });
}
