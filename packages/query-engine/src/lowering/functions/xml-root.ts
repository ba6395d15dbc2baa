import { anyType, collectionOf } from '@svc/query-language';

import { quoteText } from '../../representation/sql-text.ts';
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
export function xmlRoot(text: string, call: CallContext): string {
  const source = `replace(replace(ltrim(${text}, chr(65279)), e'\\r\\n', e'\\n'), e'\\r', e'\\n')`;
  return letExpression([`regexp_extract_all(${source}, ${quoteText(TOKEN)})`], (tokens) =>
    letExpression([transformIndexed(tokens, fragment)], (fragments) => {
      const problem = letExpression([`list_position(list_transform(${fragments}, lambda part: part IS NULL), true)`], (bad) => {
        const before = `array_to_string(list_slice(${tokens}, 1, ${bad} - 1), '')`;
        const line = `length(${before}) - length(replace(${before}, e'\\n', '')) + 1`;
        const message = `concat('line ', ${line}, ': malformed XML: ''', left(array_to_string(list_slice(${tokens}, ${bad}, ${bad} + 1), ''), 60), '''')`;
        return `CASE WHEN ${bad} > 0 THEN ${call.raiseText(message, JSON_PARTS)} ELSE ${paired(fragments, call)} END`;
      });
      return letExpression([problem], (parts) => rootOf(parts, call));
    }),
  );
}

const JSON_PARTS = collectionOf(anyType);

/** The parts of the document, once every begin tag has its end tag. */
function paired(fragments: string, call: CallContext): string {
  return letExpression([`TRY_CAST(concat('[', array_to_string(${fragments}, ''), 'null]') AS JSON)`], (json) => {
    const isPaired = `json_extract_string(${json}, '$..n') = json_extract_string(${json}, '$..e')`;
    const parts = `CAST(json_extract(${json}, '$[*]') AS JSON[])`;
    return `CASE WHEN ${json} IS NOT NULL AND ${isPaired} THEN ${parts} ELSE ${call.raise('malformed XML: an element is not closed by a tag of its name', JSON_PARTS)} END`;
  });
}

function rootOf(parts: string, call: CallContext): string {
  const roots = `list_filter(${parts}, lambda part: json_type(part) = 'OBJECT')`;
  const texts = `list_filter(${parts}, lambda part: json_type(part) = 'VARCHAR' AND trim(json_extract_string(part, '$'), e' \\t\\n\\r') <> '')`;
  return `CASE WHEN len(${roots}) = 1 AND len(${texts}) = 0 THEN list_extract(${roots}, 1) ELSE ${call.raise('malformed XML: expected one element that holds all others', anyType)} END`;
}

/** Converts a token to a fragment of JSON; NULL if it is not XML. */
function fragment(token: string, position: string): string {
  const closing = (name: string): string => `concat('null],"e":', to_json(${name}), '},')`;
  const isCdata = `starts_with(${token}, '<![CDATA[')`;
  const text = letExpression(
    [decoded(token)],
    (decodedText) => `CASE WHEN ${decodedText} IS NOT NULL THEN concat(to_json(${decodedText}), ',') END`,
  );
  const kinds = [
    [`regexp_matches(${token}, ${quoteText(NO_CHARACTER)})`, 'NULL'],
    [`${isCdata} AND NOT ends_with(${token}, ']]>')`, 'NULL'],
    [`${isCdata}`, `concat(to_json(substr(${token}, 10, length(${token}) - 12)), ',')`],
    [`${position} = 1 AND ends_with(${token}, '>') AND contains(${token}, '<!DOCTYPE')`, `''`],
    [`starts_with(${token}, '<?') AND (NOT ends_with(${token}, '?>') OR ${token} = '<?>')`, 'NULL'],
    [`NOT starts_with(${token}, '<')`, `CASE WHEN NOT contains(${token}, ']]>') THEN ${text} END`],
    [`${token} = '<'`, 'NULL'],
    [`starts_with(${token}, '</')`, closing(`regexp_extract(${token}, ${quoteText(NAME)})`)],
    [`starts_with(${token}, '<!')`, `''`],
    // The XML declaration precedes everything else.
    [`starts_with(${token}, '<?')`, `CASE WHEN ${position} = 1 OR NOT regexp_matches(${token}, '^<[?](?i:xml)[\\s?]') THEN '' END`],
  ] as const;
  return `CASE ${kinds.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')} ELSE ${opening(token, closing)} END`;
}

function opening(token: string, closing: (name: string) => string): string {
  return letExpression([`regexp_extract(${token}, ${quoteText(NAME)})`, attributes(token)], (name, pairs) => {
    const names = `list_transform(${pairs}, lambda pair: split_part(pair, '=', 1))`;
    const isGood = `list_count(${pairs}) = len(${pairs}) AND len(list_distinct(${names})) = len(${names})`;
    const end = `CASE WHEN ends_with(${token}, '/>') THEN ${closing(name)} ELSE '' END`;
    return `CASE WHEN ${isGood} THEN concat('{"n":', to_json(${name}), ',"a":', to_json(${pairs}), ',"c":[', ${end}) END`;
  });
}

/** Returns `name=value` of each attribute; NULL for an invalid value. */
function attributes(token: string): string {
  return transformList(`regexp_extract_all(${token}, ${quoteText(ATTRIBUTE)})`, (attribute) => {
    const value = decoded(`regexp_extract(${attribute}, ${quoteText(`(?s:["'](.*)["']$)`)}, 1)`);
    return `regexp_extract(${attribute}, ${quoteText(NAME)}) || '=' || ${value}`;
  });
}

const REFERENCES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" } as const;

/** Decodes a text's character references; NULL if one is not predefined in XML. */
function decoded(sql: string): string {
  return letExpression([sql], (text) => {
    const pieces = transformList(`regexp_extract_all(${text}, '&[^&;]*;?|[^&]+')`, reference);
    const joined = letExpression([pieces], (list) => `CASE WHEN list_count(${list}) = len(${list}) THEN array_to_string(${list}, '') END`);
    return `CASE WHEN contains(${text}, '&') THEN ${joined} ELSE ${text} END`;
  });
}

function reference(piece: string): string {
  const named = Object.entries(REFERENCES).map(([name, character]) => `WHEN '&${name};' THEN ${quoteText(character)}`);
  const code = (pattern: string, prefix: string): string =>
    `TRY_CAST(concat('${prefix}', nullif(regexp_extract(${piece}, '${pattern}', 1), '')) AS INTEGER)`;
  const number = `coalesce(${code('^&#x([0-9a-fA-F]+);$', '0x')}, ${code('^&#([0-9]+);$', '')})`;
  const isCharacter = (n: string): string => `${n} IN (9, 10, 13) OR ${n} BETWEEN 32 AND 55295 OR ${n} BETWEEN 57344 AND 1114111`;
  const numbered = letExpression([number], (n) => `CASE WHEN ${isCharacter(n)} THEN chr(${n}) END`);
  return `CASE WHEN NOT starts_with(${piece}, '&') THEN ${piece} ELSE CASE ${piece} ${named.join(' ')} ELSE ${numbered} END END`;
}
