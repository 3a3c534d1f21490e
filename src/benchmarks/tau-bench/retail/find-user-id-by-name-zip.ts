/** `find_user_id_by_name_zip`: ignores case in names; a zip that is a number never equals the stored text. */

import { equals, getItem, callLower } from '../../python/index.ts';
import { defineTool } from '../../domain.ts';
import { USER_NOT_FOUND, USERS } from './orders.ts';

export const findUserIdByNameZip = defineTool(
  'find_user_id_by_name_zip',
  ['first_name', 'last_name', 'zip'],
  (store, args) => {
    let first: string | undefined;
    for (const [userId, profile] of store.entries(USERS)) {
      const name = getItem(profile, 'name');
      const owned = callLower(getItem(name, 'first_name'));
      // In the reference's order, which decides which error a wrong type causes.
      first ??= callLower(args.first_name);
      if (
        owned === first &&
        callLower(getItem(name, 'last_name')) === callLower(args.last_name) &&
        equals(getItem(getItem(profile, 'address'), 'zip'), args.zip)
      ) {
        return userId;
      }
    }
    return USER_NOT_FOUND;
  },
);
