/** `get_user_details`. */

import { dumpJson } from '../python/index.ts';
import { defineTool } from '../domain.ts';
import { USER_NOT_FOUND, USERS } from './tables.ts';

export const getUserDetails = defineTool('get_user_details', ['user_id'], (store, args) => {
  const user = store.find(USERS, args.user_id);
  return user === undefined ? USER_NOT_FOUND : dumpJson(user);
});
