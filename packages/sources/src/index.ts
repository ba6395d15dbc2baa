export { Sources, type ResolvedRead, type SourcesOptions, type UnreadableSource } from './sources.ts';
