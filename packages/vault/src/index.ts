export type { RecordBinding } from './envelope/binding.ts';
export { SealedRecordError, type SealedRecordFault } from './envelope/sealed-record-error.ts';
export { createVault, type MasterKeys, type Vault } from './envelope/vault.ts';
export { MASTER_KEY_EXPECTED, parseMasterKey, type ParsedMasterKey } from './master-keys/parse-master-key.ts';
export { readMasterKeyFile } from './master-keys/read-master-key-file.ts';
