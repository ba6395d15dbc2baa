import type { CheckEnvironment } from '@svc/query-language';

import { inferPlainText } from '../infer/infer-plain-text.ts';

/** What constant texts hold, for checks of tests: of XML only who reads it knows. */
export const inferText: CheckEnvironment['inferText'] = (format, text) =>
  format === 'xml' ? { problem: 'XML is not looked at here' } : inferPlainText(format, text);
