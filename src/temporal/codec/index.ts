export { clientDataConverter, failureConverterPath, workerDataConverter } from './data-converter.ts';
export { EncryptionCodec, keyIdOf, missingKey } from './encryption.ts';
export { ServerError, isUnreachable } from './errors.ts';
export { grpc, grpcStatus } from './grpc.ts';
export { ENCRYPTION_VARIABLE, describeKeys, readKeyRing, type KeyRing } from './keys.ts';
export { originsOf, startCodecServer } from './server.ts';
