import type { ApplicationEndpoint } from './application-endpoint.ts';

/** The endpoints that match a path, the most specific one per method. */
export interface EndpointMatch {
  /** By method, in upper case, with the texts of the path parameters. */
  readonly methods: ReadonlyMap<string, MatchedEndpoint>;
}

/** An endpoint and the texts of its path parameters. */
export interface MatchedEndpoint {
  readonly endpoint: ApplicationEndpoint;
  readonly pathTexts: ReadonlyMap<string, string>;
}

/** Finds the endpoints of a path below `/<application>/1/public`. Null if no endpoint has the path. */
export type EndpointMatcher = (path: string) => EndpointMatch | null;

/**
 * Compiles the endpoints of an application. Paths match exactly; a segment is decoded after the path is split, so that an
 * encoded slash is part of a parameter. A segment with invalid encoding matches no literal, but a parameter, unchanged.
 */
export function compileMatcher(endpoints: readonly ApplicationEndpoint[]): EndpointMatcher {
  const compiled = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.endpoint.path.slice(1).split('/').map(compileSegment) }));
  const ofLength = Map.groupBy(compiled.toSorted(bySpecificity), ({ segments }) => segments.length);
  return (path) => {
    const texts = path.slice(1).split('/').map(decode);
    const methods = new Map<string, MatchedEndpoint>();
    for (const { endpoint, segments } of path.startsWith('/') ? (ofLength.get(texts.length) ?? []) : []) {
      const method = endpoint.endpoint.method.toUpperCase();
      if (methods.has(method)) continue;
      const pathTexts = matchAll(segments, texts);
      if (pathTexts !== null) methods.set(method, { endpoint, pathTexts });
    }
    return methods.size === 0 ? null : { methods };
  };
}

interface Segment {
  /** Texts before mixtures before parameters. */
  readonly rank: number;
  readonly match: (text: string) => Readonly<Record<string, string>> | null;
}

const NOTHING: Readonly<Record<string, string>> = {};

function compileSegment(written: string): Segment {
  if (!written.includes('{')) return { rank: 0, match: (text) => (text === written ? NOTHING : null) };
  // Texts and names by turns, a text first and last.
  const parts = written.split(/\{(\w+)\}/);
  return { rank: parts.length === 3 && parts[0] === '' && parts[2] === '' ? 2 : 1, match: (text) => matchParts(parts, text) };
}

/** Matches in one pass: each parameter ends at the first occurrence of the text after it, the last one before the end. */
function matchParts(parts: readonly string[], text: string): Readonly<Record<string, string>> | null {
  const [start = '', end = ''] = [parts[0], parts.at(-1)];
  if (!text.startsWith(start) || !text.endsWith(end)) return null;
  const found: Record<string, string> = {};
  let at = start.length;
  for (let i = 1; i < parts.length; i += 2) {
    const next = i + 2 === parts.length ? text.length - end.length : text.indexOf(parts[i + 1] ?? '', at + 1);
    if (next <= at) return null;
    found[parts[i] ?? ''] = text.slice(at, next);
    at = next + (parts[i + 1] ?? '').length;
  }
  return found;
}

interface CompiledEndpoint {
  readonly endpoint: ApplicationEndpoint;
  readonly segments: readonly Segment[];
}

/** The first segment in which two paths differ in kind decides, as a reader of paths would. */
function bySpecificity(left: CompiledEndpoint, right: CompiledEndpoint): number {
  for (const [i, { rank }] of left.segments.entries()) {
    const difference = rank - (right.segments[i]?.rank ?? rank);
    if (difference !== 0) return difference;
  }
  return 0;
}

function matchAll(segments: readonly Segment[], texts: readonly string[]): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  for (const [i, segment] of segments.entries()) {
    const matched = segment.match(texts[i] ?? '');
    if (matched === null) return null;
    for (const [name, text] of Object.entries(matched)) found.set(name, text);
  }
  return found;
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
