export { inferXmlText } from './decoders/xml/infer-xml-text.ts';
export { holdAll } from './reading/hold-all.ts';
export { Sources, type ResolvedRead, type SourcesOptions, type UnreadableSource } from './sources.ts';
export { openSpoolFolder, type SpoolFolder } from './spool/spool-folder.ts';
export { SpoolLedger } from './spool/spool-ledger.ts';
