/** `find_user_id_by_email`: ignores case. */

import { getItem, callLower } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { USER_NOT_FOUND, USERS } from './orders.ts';

export const findUserIdByEmail = defineTool('find_user_id_by_email', ['email'], (store, { email }) => {
  let wanted: string | undefined;
  for (const [userId, profile] of store.entries(USERS)) {
    const owned = callLower(getItem(profile, 'email'));
    // Computed only now, because the reference does not reject a wrong argument if there are no users.
    wanted ??= callLower(email);
    if (owned === wanted) return userId;
  }
  return USER_NOT_FOUND;
});
