import { anyType, collectionOf } from '@svc/query-language';

import { quoteText } from '../../representation/sql-text.ts';
import type { CallContext } from '../lowering-types.ts';
import { bindOnce, transformList } from '../scalars/bind-once.ts';

const NAME = String.raw`[^\s<>/!?"'=&][^\s<>/"'=&]*`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
/** What XML is made of; a `<` that begins none of it stands alone. A document type's own entities are not read. */
const TOKEN = [
  String.raw`<!--(?:[^-]|-[^-])*-->`,
  String.raw`<!\[CDATA\[(?s:.*?)\]\]>`,
  String.raw`<\?(?s:.*?)\?>`,
  String.raw`<!DOCTYPE[^\[\]<>]*(?:\[[^\]]*\]\s*)?>`,
  String.raw`</${NAME}\s*>`,
  `<${NAME}(?:${ATTRIBUTE})*\\s*/?>`,
  '[^<]+',
  '<',
].join('|');

/**
 * The root element of an XML text as JSON, `{"n": name, "a": ["attribute=value"…], "c": [texts and elements…, null], "e": name}`: each tag is
 * rewritten by itself, so that a text of any size takes one pass, and JSON tells whether they are paired. Fails where the text is no XML.
 */
export function xmlRoot(text: string, call: CallContext): string {
  const source = `replace(replace(ltrim(${text}, chr(65279)), e'\\r\\n', e'\\n'), e'\\r', e'\\n')`;
  return bindOnce([`regexp_extract_all(${source}, ${quoteText(TOKEN)})`], (tokens) =>
    bindOnce(
      [transformList(tokens, (token) => fragment(token))],
      (fragments) => {
        const problem = bindOnce(
          [`list_position(list_transform(${fragments}, lambda part: part IS NULL), true)`],
          (bad) => {
            const before = `array_to_string(list_slice(${tokens}, 1, ${bad} - 1), '')`;
            const line = `length(${before}) - length(replace(${before}, e'\\n', '')) + 1`;
            const message = `concat('line ', ${line}, ': malformed XML: ''', left(array_to_string(list_slice(${tokens}, ${bad}, ${bad} + 1), ''), 60), '''')`;
            return `CASE WHEN ${bad} > 0 THEN ${call.raiseText(message, JSON_PARTS)} ELSE ${paired(fragments, call)} END`;
          },
          [tokens, fragments],
        );
        return bindOnce([problem], (parts) => rootOf(parts, call), [tokens, fragments]);
      },
      [tokens],
    ),
  );
}

const JSON_PARTS = collectionOf(anyType);

/** The parts of the document, once every begin tag has its end tag. */
function paired(fragments: string, call: CallContext): string {
  return bindOnce(
    [`TRY_CAST(concat('[', array_to_string(${fragments}, ''), 'null]') AS JSON)`],
    (json) => {
      const isPaired = `json_extract_string(${json}, '$..n') = json_extract_string(${json}, '$..e')`;
      const parts = `CAST(json_extract(${json}, '$[*]') AS JSON[])`;
      return `CASE WHEN ${json} IS NOT NULL AND ${isPaired} THEN ${parts} ELSE ${call.raise('malformed XML: an element is not closed by a tag of its name', JSON_PARTS)} END`;
    },
    [fragments],
  );
}

function rootOf(parts: string, call: CallContext): string {
  const roots = `list_filter(${parts}, lambda part: json_type(part) = 'OBJECT')`;
  const texts = `list_filter(${parts}, lambda part: json_type(part) = 'VARCHAR' AND trim(json_extract_string(part, '$'), e' \\t\\n\\r') <> '')`;
  return `CASE WHEN len(${roots}) = 1 AND len(${texts}) = 0 THEN list_extract(${roots}, 1) ELSE ${call.raise('malformed XML: expected one element that holds all others', anyType)} END`;
}

/** A token as a piece of JSON; NULL for what is no XML. */
function fragment(token: string): string {
  const closing = (name: string): string => `concat('null],"e":', to_json(${name}), '},')`;
  return (
    `CASE WHEN NOT starts_with(${token}, '<') THEN ${bindOnce([decoded(token)], (text) => `CASE WHEN ${text} IS NOT NULL THEN concat(to_json(${text}), ',') END`, [token])}` +
    ` WHEN ${token} = '<' THEN NULL` +
    ` WHEN starts_with(${token}, '</') THEN ${closing(`regexp_extract(${token}, ${quoteText(NAME)})`)}` +
    ` WHEN starts_with(${token}, '<![CDATA[') THEN concat(to_json(substr(${token}, 10, length(${token}) - 12)), ',')` +
    ` WHEN starts_with(${token}, '<?') OR starts_with(${token}, '<!') THEN ''` +
    ` ELSE ${opening(token, closing)} END`
  );
}

function opening(token: string, closing: (name: string) => string): string {
  return bindOnce(
    [`regexp_extract(${token}, ${quoteText(NAME)})`, attributes(token)],
    (name, pairs) => {
      const names = `list_transform(${pairs}, lambda pair: split_part(pair, '=', 1))`;
      const isGood = `list_count(${pairs}) = len(${pairs}) AND len(list_distinct(${names})) = len(${names})`;
      const end = `CASE WHEN ends_with(${token}, '/>') THEN ${closing(name)} ELSE '' END`;
      return `CASE WHEN ${isGood} THEN concat('{"n":', to_json(${name}), ',"a":', to_json(${pairs}), ',"c":[', ${end}) END`;
    },
    [token],
  );
}

/** `name=value` of each attribute; NULL for a value that is no text. */
function attributes(token: string): string {
  return transformList(`regexp_extract_all(${token}, ${quoteText(ATTRIBUTE)})`, (attribute) => {
    const value = decoded(`regexp_extract(${attribute}, ${quoteText(`(?s:["'](.*)["']$)`)}, 1)`);
    return `regexp_extract(${attribute}, ${quoteText(NAME)}) || '=' || ${value}`;
  });
}

const REFERENCES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" } as const;

/** Text with its references to characters replaced; NULL where one is none that XML itself knows. */
function decoded(sql: string): string {
  return bindOnce([sql], (text) => {
    const pieces = transformList(`regexp_extract_all(${text}, '&[^&;]*;?|[^&]+')`, reference);
    const joined = bindOnce([pieces], (list) => `CASE WHEN list_count(${list}) = len(${list}) THEN array_to_string(${list}, '') END`);
    return `CASE WHEN contains(${text}, '&') THEN ${joined} ELSE ${text} END`;
  });
}

function reference(piece: string): string {
  const named = Object.entries(REFERENCES).map(([name, character]) => `WHEN '&${name};' THEN ${quoteText(character)}`);
  const code = (pattern: string, prefix: string): string =>
    `TRY_CAST(concat('${prefix}', nullif(regexp_extract(${piece}, '${pattern}', 1), '')) AS INTEGER)`;
  const number = `coalesce(${code('^&#x([0-9a-fA-F]+);$', '0x')}, ${code('^&#([0-9]+);$', '')})`;
  const isCharacter = (n: string): string => `${n} IN (9, 10, 13) OR ${n} BETWEEN 32 AND 55295 OR ${n} BETWEEN 57344 AND 1114111`;
  const numbered = bindOnce([number], (n) => `CASE WHEN ${isCharacter(n)} THEN chr(${n}) END`, [piece]);
  return `CASE WHEN NOT starts_with(${piece}, '&') THEN ${piece} ELSE CASE ${piece} ${named.join(' ')} ELSE ${numbered} END END`;
}
