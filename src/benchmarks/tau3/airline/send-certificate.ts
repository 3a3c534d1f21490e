/** `send_certificate`: gives a user a certificate, at most three in an episode. */

import { putMethod } from '../../tau-bench/airline/tables.ts';
import { getDict, str } from '../../python/index.ts';
import { valueError } from '../common.ts';
import { writeTool } from '../tool.ts';
import { createCertificate } from './models.ts';
import { getUser } from './tables.ts';

const CERTIFICATES = ['certificate_3221322', 'certificate_3221323', 'certificate_3221324'] as const;

export const sendCertificate = writeTool('send_certificate', ['user_id', 'amount'], (store, args) => {
  const methods = getDict(getUser(store, args.user_id), 'payment_methods');
  const id = CERTIFICATES.find((candidate) => !methods.has(candidate));
  if (id === undefined) throw valueError('Too many certificates');
  putMethod(store, args.user_id, id, createCertificate(id, args.amount));
  return `Certificate ${id} added to user ${str(args.user_id)} with amount ${str(args.amount)}.`;
});
