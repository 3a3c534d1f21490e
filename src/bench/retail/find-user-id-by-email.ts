/** `find_user_id_by_email`: case does not matter. */

import { getItem, lowerOf } from '../python/objects.ts';
import { defineTool } from '../tool.ts';
import { USERS } from './orders.ts';

export const findUserIdByEmail = defineTool('find_user_id_by_email', ['email'], (store, { email }) => {
  for (const [userId, profile] of store.entries(USERS)) {
    if (lowerOf(getItem(profile, 'email')) === lowerOf(email)) return userId;
  }
  return 'Error: user not found';
});
