/**
 * `find_user_id_by_email` and `find_user_id_by_name_zip`: as in tau-bench, but with an exception if there is no such
 * user.
 */

import { findUserIdByEmail as byEmail } from '../../tau-bench/retail/find-user-id-by-email.ts';
import { findUserIdByNameZip as byNameZip } from '../../tau-bench/retail/find-user-id-by-name-zip.ts';
import { USER_NOT_FOUND } from '../../tau-bench/retail/orders.ts';
import { valueError } from '../common.ts';
import { readTool } from '../tool.ts';

export const findUserIdByEmail = readTool('find_user_id_by_email', ['email'], (store, args) =>
  requireUser(byEmail.invoke(store, args)),
);

export const findUserIdByNameZip = readTool(
  'find_user_id_by_name_zip',
  ['first_name', 'last_name', 'zip'],
  (store, args) => requireUser(byNameZip.invoke(store, args)),
);

function requireUser(found: string): string {
  if (found === USER_NOT_FOUND) throw valueError('User not found');
  return found;
}
