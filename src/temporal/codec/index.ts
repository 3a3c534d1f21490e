/** Payload encryption, the codec server for Temporal UI, and the errors of connecting to Temporal. */

export { EncryptionCodec, clientDataConverter, keyIdOf, missingKey, workerDataConverter } from './encryption.ts';
export { ENCRYPTION_VARIABLE, describeKeys, readKeyRing, type KeyRing } from './keys.ts';
export { ServerError, grpc, grpcStatus, isUnreachable } from './errors.ts';
export { originsOf, startCodecServer } from './server.ts';
