/** Payload encryption, the codec server for Temporal UI, and the errors of connecting to Temporal. */

export {
  ENCRYPTION_VARIABLE,
  EncryptionCodec,
  clientDataConverter,
  describeKeys,
  keyIdOf,
  missingKey,
  readKeyRing,
  workerDataConverter,
  type KeyRing,
} from './encryption.ts';
export { ServerError, grpc, grpcStatus, isGone, isUnreachable, onStatus } from './errors.ts';
export { originsOf, startCodecServer } from './server.ts';
