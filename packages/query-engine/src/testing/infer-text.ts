import type { CheckEnvironment } from '@svc/query-language';
import { inferPlainText } from '@svc/text-formats';

/** Infers the type of constant texts in tests; XML is not supported. */
export const inferText: CheckEnvironment['inferText'] = (format, text) =>
  format === 'xml' ? { problem: 'XML is not looked at here' } : inferPlainText(format, text);
