export type { AccessKeys, CredentialContents, HttpSecret } from './credentials/credential-contents.ts';
export {
  createCredentialReader,
  type CredentialReader,
  type CredentialReaderOptions,
  type RefreshedToken,
} from './credentials/credential-reader.ts';
export { Credentials, type CredentialParts, type NamedCredential, type OpenedCredential } from './credentials/credentials.ts';
export { keepEventsFor, type RetentionOptions } from './credentials/event-retention.ts';
export type { RecordBinding } from './envelope/binding.ts';
export { SealedRecordError, type SealedRecordFault } from './envelope/sealed-record-error.ts';
export { createVault, type MasterKeys, type Vault } from './envelope/vault.ts';
export { MASTER_KEY_EXPECTED, parseMasterKey, type ParsedMasterKey } from './master-keys/parse-master-key.ts';
export { rotateMasterKey, type RotationOptions, type RotationOutcome, type RotationProgress } from './master-keys/rotate-master-key.ts';
export { readMasterKeyFile } from './master-keys/read-master-key-file.ts';
