/** Payload encryption, and the codec server for Temporal UI. */

export {
  ENCRYPTION_VARIABLE,
  EncryptionCodec,
  clientDataConverter,
  describeKeys,
  readKeyId,
  missingKey,
  readKeyRing,
  workerDataConverter,
  type KeyRing,
} from './encryption.ts';
export { listOrigins, startCodecServer } from './server.ts';
