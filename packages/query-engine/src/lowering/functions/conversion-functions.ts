import { primitive, type PrimitiveName } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, SQL, textLiteral } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering, LoweredArgument } from '../lowering-types.ts';
import { letExpression } from '../scalars/let-expression.ts';
import { lowerCast } from '../scalars/lower-cast.ts';
import { lowerJsonText } from '../scalars/value-text.ts';
import { ofConstants, quotedStart } from './function-parts.ts';
import { compileTemplate, formatSql, parseSql } from './java-template.ts';

/** Conversions are equivalent to CAST. */
function convertTo(name: PrimitiveName): FunctionLowering {
  return (args, call) => {
    const value = argumentAt(args, 0, call);
    return lowerCast(value.sql, value.type, primitive(name), false, call);
  };
}

/** Parses a text by a template, strictly. */
function read(name: 'date' | 'time' | 'timestamp'): FunctionLowering {
  return ofConstants((args, call) => {
    const [text, template] = [argumentAt(args, 0, call), argumentAt(args, 1, call)];
    const pieces = compileTemplate(template.constant);
    return letExpression([text.sql], (s) => {
      const fail = call.raiseText(
        SQL`concat(${quotedStart(s)}, ${textLiteral(` is no ${name} by the template `)}, ${quotedStart(template.sql)})`,
        call.type,
      );
      return SQL`CASE WHEN ${s} IS NOT NULL THEN coalesce(${castTo(parseSql(s, pieces), duckType(primitive(name)))}, ${fail}) END`;
    });
  });
}

const format = ofConstants((args, call) => {
  const [moment, template] = [argumentAt(args, 0, call), argumentAt(args, 1, call)];
  const pieces = compileTemplate(template.constant);
  const isTime = moment.type.kind === 'PrimitiveType' && moment.type.name === 'time';
  const timestamp = isTime ? SQL`(DATE '1970-01-01' + ${moment.sql})` : castTo(moment.sql, 'TIMESTAMP');
  return letExpression([timestamp], (t) => SQL`CASE WHEN ${t} IS NOT NULL THEN ${formatSql(t, pieces)} END`);
});

/** Returns an argument whose presence the checker has verified. */
function argumentAt(args: readonly LoweredArgument[], index: number, call: CallContext): LoweredArgument {
  const found = args[index];
  if (found === undefined) throw new Error(`${call.functionName} lacks an argument.`);
  return found;
}

/** Conversion. */
export const CONVERSION_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  BYTE: convertTo('byte'),
  SHORT: convertTo('short'),
  INT: convertTo('int'),
  LONG: convertTo('long'),
  FLOAT: convertTo('float'),
  DOUBLE: convertTo('double'),
  DECIMAL: convertTo('decimal'),
  BOOL: convertTo('bool'),
  STRING: convertTo('string'),
  TO_DATE: read('date'),
  TO_TIME: read('time'),
  TO_TIMESTAMP: read('timestamp'),
  FORMAT: format,
  TO_JSON: (args, call) => {
    const value = argumentAt(args, 0, call);
    return lowerJsonText(value.sql, value.type);
  },
};
