/** A pattern as the engine's RE2 reads it: a group is named by `(?P<n>`, not `(?<n>`. */
export function toEngineRegex(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?<(?![=!])/g, (token) => (token === '(?<' ? '(?P<' : token));
}
