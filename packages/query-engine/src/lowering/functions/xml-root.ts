import { anyType, collectionOf } from '@svc/query-language';

import { joinSql, NULL, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { CallContext } from '../lowering-types.ts';
import { letExpression, transformIndexed, transformList } from '../scalars/let-expression.ts';

/** Characters that XML allows at the start of a name, and within it. */
const NAME_START = String.raw`:A-Z_a-z\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{2FF}\x{370}-\x{37D}\x{37F}-\x{1FFF}\x{200C}\x{200D}\x{2070}-\x{218F}\x{2C00}-\x{2FEF}\x{3001}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFFD}\x{10000}-\x{EFFFF}`;
const NAME = String.raw`[${NAME_START}][${NAME_START}\-.0-9\x{B7}\x{300}-\x{36F}\x{203F}\x{2040}]*`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
const COMMENT = '<!--(?:[^-]|-[^-])*-->';
const INSTRUCTION = String.raw`<\?(?s:.*?)\?>`;
/** Prolog up to a document type, whose own entities are not parsed. */
const PROLOG = String.raw`^(?:\s|${INSTRUCTION}|${COMMENT})*<!DOCTYPE[^\[\]<>]*(?:\[[^\]]*\]\s*)?>`;
/**
 * Tokens of XML; a `<` that starts none is a token by itself. An unclosed token extends to the end: searching for its end at
 * each possible start would take quadratic time. An open comment ends at the next one.
 */
const TOKEN = [
  PROLOG,
  COMMENT,
  String.raw`<!\[CDATA\[(?s:.*?)(?:\]\]>|\z)`,
  String.raw`<\?(?s:.*?)(?:\?>|\z)`,
  String.raw`</${NAME}\s*>`,
  String.raw`<${NAME}(?:${ATTRIBUTE})*\s*/?>`,
  '[^<]+',
  '<',
].join('|');
/** Characters that XML allows nowhere, and those that it does not allow in text. */
const NO_CHARACTER = String.raw`[\x00-\x08\x0B\x0C\x0E-\x1F\x{FFFE}\x{FFFF}]`;

/**
 * Converts the root element of an XML text to JSON, `{"n": name, "a": ["attribute=value"…], "c": [texts and elements…,
 * null], "e": name}`: each tag is rewritten by itself, so that a text of any size takes one pass, and the JSON parser checks
 * that tags are paired. Fails if the text is not XML.
 */
export function xmlRoot(text: Sql, call: CallContext): Sql {
  const source = SQL`replace(replace(ltrim(${text}, chr(65279)), e'\\r\\n', e'\\n'), e'\\r', e'\\n')`;
  return letExpression([SQL`regexp_extract_all(${source}, ${textLiteral(TOKEN)})`], (tokens) =>
    letExpression([transformIndexed(tokens, fragment)], (fragments) => {
      const problem = letExpression([SQL`list_position(list_transform(${fragments}, lambda part: part IS NULL), true)`], (bad) => {
        const before = SQL`array_to_string(list_slice(${tokens}, 1, ${bad} - 1), '')`;
        const line = SQL`length(${before}) - length(replace(${before}, e'\\n', '')) + 1`;
        const message = SQL`concat('line ', ${line}, ': malformed XML: ''', left(array_to_string(list_slice(${tokens}, ${bad}, ${bad} + 1), ''), 60), '''')`;
        return SQL`CASE WHEN ${bad} > 0 THEN ${call.raiseText(message, JSON_PARTS)} ELSE ${paired(fragments, call)} END`;
      });
      return letExpression([problem], (parts) => rootOf(parts, call));
    }),
  );
}

const JSON_PARTS = collectionOf(anyType);

/** The parts of the document, once every begin tag has its end tag. */
function paired(fragments: Sql, call: CallContext): Sql {
  return letExpression([SQL`TRY_CAST(concat('[', array_to_string(${fragments}, ''), 'null]') AS JSON)`], (json) => {
    const isPaired = SQL`json_extract_string(${json}, '$..n') = json_extract_string(${json}, '$..e')`;
    const parts = SQL`CAST(json_extract(${json}, '$[*]') AS JSON[])`;
    return SQL`CASE WHEN ${json} IS NOT NULL AND ${isPaired} THEN ${parts} ELSE ${call.raise('malformed XML: an element is not closed by a tag of its name', JSON_PARTS)} END`;
  });
}

function rootOf(parts: Sql, call: CallContext): Sql {
  const roots = SQL`list_filter(${parts}, lambda part: json_type(part) = 'OBJECT')`;
  const texts = SQL`list_filter(${parts}, lambda part: json_type(part) = 'VARCHAR' AND trim(json_extract_string(part, '$'), e' \\t\\n\\r') <> '')`;
  return SQL`CASE WHEN len(${roots}) = 1 AND len(${texts}) = 0 THEN list_extract(${roots}, 1) ELSE ${call.raise('malformed XML: expected one element that holds all others', anyType)} END`;
}

/** Converts a token to a fragment of JSON; NULL if it is not XML. */
function fragment(token: Sql, position: Sql): Sql {
  const closing = (name: Sql): Sql => SQL`concat('null],"e":', to_json(${name}), '},')`;
  const isCdata = SQL`starts_with(${token}, '<![CDATA[')`;
  const text = letExpression(
    [decoded(token)],
    (decodedText) => SQL`CASE WHEN ${decodedText} IS NOT NULL THEN concat(to_json(${decodedText}), ',') END`,
  );
  const kinds = [
    [SQL`regexp_matches(${token}, ${textLiteral(NO_CHARACTER)})`, NULL],
    [SQL`${isCdata} AND NOT ends_with(${token}, ']]>')`, NULL],
    [SQL`${isCdata}`, SQL`concat(to_json(substr(${token}, 10, length(${token}) - 12)), ',')`],
    [SQL`${position} = 1 AND ends_with(${token}, '>') AND contains(${token}, '<!DOCTYPE')`, SQL`''`],
    [SQL`starts_with(${token}, '<?') AND (NOT ends_with(${token}, '?>') OR ${token} = '<?>')`, NULL],
    [SQL`NOT starts_with(${token}, '<')`, SQL`CASE WHEN NOT contains(${token}, ']]>') THEN ${text} END`],
    [SQL`${token} = '<'`, NULL],
    [SQL`starts_with(${token}, '</')`, closing(SQL`regexp_extract(${token}, ${textLiteral(NAME)})`)],
    [SQL`starts_with(${token}, '<!')`, SQL`''`],
    // The XML declaration precedes everything else.
    [SQL`starts_with(${token}, '<?')`, SQL`CASE WHEN ${position} = 1 OR NOT regexp_matches(${token}, '^<[?](?i:xml)[\\s?]') THEN '' END`],
  ] as const;
  return SQL`CASE ${joinSql(
    kinds.map(([when, then]) => SQL`WHEN ${when} THEN ${then}`),
    ' ',
  )} ELSE ${opening(token, closing)} END`;
}

function opening(token: Sql, closing: (name: Sql) => Sql): Sql {
  return letExpression([SQL`regexp_extract(${token}, ${textLiteral(NAME)})`, attributes(token)], (name, pairs) => {
    const names = SQL`list_transform(${pairs}, lambda pair: split_part(pair, '=', 1))`;
    const isGood = SQL`list_count(${pairs}) = len(${pairs}) AND len(list_distinct(${names})) = len(${names})`;
    const end = SQL`CASE WHEN ends_with(${token}, '/>') THEN ${closing(name)} ELSE '' END`;
    return SQL`CASE WHEN ${isGood} THEN concat('{"n":', to_json(${name}), ',"a":', to_json(${pairs}), ',"c":[', ${end}) END`;
  });
}

/** Returns `name=value` of each attribute; NULL for an invalid value. */
function attributes(token: Sql): Sql {
  return transformList(SQL`regexp_extract_all(${token}, ${textLiteral(ATTRIBUTE)})`, (attribute) => {
    const value = decoded(SQL`regexp_extract(${attribute}, ${textLiteral(`(?s:["'](.*)["']$)`)}, 1)`);
    return SQL`regexp_extract(${attribute}, ${textLiteral(NAME)}) || '=' || ${value}`;
  });
}

const REFERENCES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" } as const;

/** Decodes a text's character references; NULL if one is not predefined in XML. */
function decoded(sql: Sql): Sql {
  return letExpression([sql], (text) => {
    const pieces = transformList(SQL`regexp_extract_all(${text}, '&[^&;]*;?|[^&]+')`, reference);
    const joined = letExpression(
      [pieces],
      (list) => SQL`CASE WHEN list_count(${list}) = len(${list}) THEN array_to_string(${list}, '') END`,
    );
    return SQL`CASE WHEN contains(${text}, '&') THEN ${joined} ELSE ${text} END`;
  });
}

function reference(piece: Sql): Sql {
  const named = Object.entries(REFERENCES).map(([name, character]) => SQL`WHEN ${textLiteral(`&${name};`)} THEN ${textLiteral(character)}`);
  const code = (pattern: string, prefix: string): Sql =>
    SQL`TRY_CAST(concat(${textLiteral(prefix)}, nullif(regexp_extract(${piece}, ${textLiteral(pattern)}, 1), '')) AS INTEGER)`;
  const number = SQL`coalesce(${code('^&#x([0-9a-fA-F]+);$', '0x')}, ${code('^&#([0-9]+);$', '')})`;
  const isCharacter = (n: Sql): Sql => SQL`${n} IN (9, 10, 13) OR ${n} BETWEEN 32 AND 55295 OR ${n} BETWEEN 57344 AND 1114111`;
  const numbered = letExpression([number], (n) => SQL`CASE WHEN ${isCharacter(n)} THEN chr(${n}) END`);
  return SQL`CASE WHEN NOT starts_with(${piece}, '&') THEN ${piece} ELSE CASE ${piece} ${joinSql(named, ' ')} ELSE ${numbered} END END`;
}
