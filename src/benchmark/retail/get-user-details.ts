/** `get_user_details`: the whole record as JSON. */

import { recordJson } from '../common.ts';
import { defineTool } from '../domain.ts';
import { USER_NOT_FOUND, USERS } from './orders.ts';

export const getUserDetails = defineTool('get_user_details', ['user_id'], (store, args) => {
  const record = store.find(USERS, args.user_id);
  return record === undefined ? USER_NOT_FOUND : recordJson(record);
});
