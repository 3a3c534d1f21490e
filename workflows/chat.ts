/** The messages of an episode whose user is a person. Wrong answers are refused by the update's validator. */

import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Answer, Conversation } from '../src/wire/index.ts';

/** What has been said, and what a person is waited for. */
export const conversation = defineQuery<Conversation>('conversation');
/** What the customer says next. */
export const answer = defineUpdate<void, [answer: Answer]>('answer');
