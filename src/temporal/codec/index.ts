/** Payload encryption, and the codec server for Temporal UI. */

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
export { originsOf, startCodecServer } from './server.ts';
