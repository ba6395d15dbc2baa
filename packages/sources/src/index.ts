export {
  createCredentialChecks,
  type CheckedCredential,
  type CheckOutcome,
  type CredentialCheckOptions,
  type CredentialChecks,
} from './checks/credential-checks.ts';
export {
  NO_CREDENTIALS,
  type BucketCredential,
  type CredentialKind,
  type CredentialLookup,
  type CredentialUse,
  type DatabaseCredential,
  type FileHostCredential,
  type HttpCredential,
  type HttpSecret,
  type RefreshedToken,
} from './credentials/credential-lookup.ts';
export type { Commission } from './decoders/threads/decode-threads.ts';
export { inferXmlText } from './decoders/xml/infer-xml-text.ts';
export { QueryReading } from './reading/query-reading.ts';
export type { OpenedRows, ResolvedRead, UnreadableSource } from './resolved-read.ts';
export { publishStep } from './source-steps.ts';
export { Sources, type IdentifiedNeed, type SourceAsking, type SourcesOptions } from './sources.ts';
export { SpoolLedger } from './spool/spool-ledger.ts';
