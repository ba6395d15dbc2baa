import { primitive, type PrimitiveName } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { bindOnce } from '../scalars/bind-once.ts';
import { lowerCast } from '../scalars/lower-cast.ts';
import { lowerJsonText } from '../scalars/value-text.ts';
import { compileTemplate, formatSql, parseSql } from './java-template.ts';
import { quotedStart } from './function-parts.ts';

/** Conversions do what CAST does. */
function convertTo(name: PrimitiveName): FunctionLowering {
  return ([value], call) =>
    value === undefined ? missing(call.functionName) : lowerCast(value.sql, value.type, primitive(name), false, call);
}

/** A text read by a template: strictly, as the template says and nothing else. */
function read(name: 'date' | 'time' | 'timestamp'): FunctionLowering {
  return ([text, template], call) => {
    if (text === undefined || template === undefined) return missing(call.functionName);
    if (template.constant === null) return `CAST(NULL AS ${duckType(call.type)})`;
    const compiled = compileTemplate(template.constant);
    if ('problem' in compiled) return call.raise(compiled.problem, call.type);
    return bindOnce([text.sql], (s) => {
      const fail = call.raiseText(`concat(${quotedStart(s)}, ' is no ${name} by the template ', ${quotedStart(template.sql)})`, call.type);
      return `CASE WHEN ${s} IS NOT NULL THEN coalesce(CAST(${parseSql(s, compiled.pieces)} AS ${duckType(primitive(name))}), ${fail}) END`;
    });
  };
}

const format: FunctionLowering = ([moment, template], call) => {
  if (moment === undefined || template === undefined) return missing(call.functionName);
  if (template.constant === null) return 'CAST(NULL AS VARCHAR)';
  const compiled = compileTemplate(template.constant);
  if ('problem' in compiled) return call.raise(compiled.problem, call.type);
  const isTime = moment.type.kind === 'PrimitiveType' && moment.type.name === 'time';
  const timestamp = isTime ? `(DATE '1970-01-01' + ${moment.sql})` : `CAST(${moment.sql} AS TIMESTAMP)`;
  return bindOnce([timestamp], (t) => `CASE WHEN ${t} IS NOT NULL THEN ${formatSql(t, compiled.pieces)} END`);
};

function missing(name: string): never {
  throw new Error(`${name} lacks an argument.`);
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
  TO_JSON: ([value], call) => (value === undefined ? missing(call.functionName) : lowerJsonText(value.sql, value.type)),
};
