export { createCatalogReader, type CatalogAnswers, type CatalogReader, type CatalogTable } from './catalog-reader.ts';
export { readPattern } from './name-pattern.ts';
export { checkName, nameProblem } from './object-name.ts';
export { TextCatalog, type CheckedText, type Owner, type TextCatalogOptions, type TextPut, type TextStore } from './text-catalog.ts';
