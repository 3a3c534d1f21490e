/** `modify_user_address`: changes the default address; orders keep theirs. */

import { dumpJson, withItem } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { ADDRESS_FIELDS, toAddress, USER_NOT_FOUND, USERS } from './orders.ts';

export const modifyUserAddress = defineTool('modify_user_address', ['user_id', ...ADDRESS_FIELDS], (store, args) => {
  const user = store.find(USERS, args.user_id);
  if (user === undefined) return USER_NOT_FOUND;
  const modified = withItem(user, 'address', toAddress(args));
  store.put(USERS, args.user_id, modified);
  return dumpJson(modified);
});
