/** `send_certificate`: gives a user a certificate; the fourth one of an episode ends it with an exception. */

import { getDict, str, type PyDict, type PyValue } from '../../python/index.ts';
import { StepRaised, defineTool } from '../../domain.ts';
import { putMethod, USER_NOT_FOUND, USERS } from './tables.ts';

const CERTIFICATES = ['certificate_3221322', 'certificate_3221323', 'certificate_3221324'] as const;

export const sendCertificate = defineTool('send_certificate', ['user_id', 'amount'], (store, args) => {
  const user = store.find(USERS, args.user_id);
  if (user === undefined) return USER_NOT_FOUND;
  const methods = getDict(user, 'payment_methods');
  const id = CERTIFICATES.find((candidate) => !methods.has(candidate));
  // The reference's tool then returns nothing, which is no observation.
  if (id === undefined) throw StepRaised.noObservation();
  const certificate: PyDict = new Map<string, PyValue>([
    ['source', 'certificate'],
    ['amount', args.amount],
    ['id', id],
  ]);
  putMethod(store, args.user_id, id, certificate);
  return `Certificate ${id} added to user ${str(args.user_id)} with amount ${str(args.amount)}.`;
});
