import { isDeepStrictEqual } from 'node:util';

import { assertNever } from '@svc/query-language';

import type { Fault } from './namespace-model.ts';

/** A request, with the response that the model requires. */
export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly expected: Expected;
}

/** A required response. */
export type Expected =
  | { readonly kind: 'json'; readonly body: unknown }
  /** One value per line, in any order. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'empty'; readonly status: number }
  | { readonly kind: 'error'; readonly status: number; readonly code: string; readonly message?: string }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'syntax-error' }
  /** An OpenAPI document, with a path or without. */
  | { readonly kind: 'document'; readonly hasPath: boolean };

/** A response as received. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Describes how a response differs from the required one, or null. */
export function differenceOf(expected: Expected, { status, text }: Answer): string | null {
  const found = `${status} ${text}`;
  switch (expected.kind) {
    case 'json':
      return status === 200 && isDeepStrictEqual(withoutTimes(JSON.parse(text)), expected.body)
        ? null
        : `expected 200 ${JSON.stringify(expected.body)}, found ${found}`;
    case 'lines': {
      const lines = text.split('\n').slice(0, -1).toSorted();
      return status === 200 && isDeepStrictEqual(lines, expected.lines.toSorted())
        ? null
        : `expected the lines ${expected.lines.join(' ')}, found ${found}`;
    }
    case 'empty':
      return status === expected.status && text === '' ? null : `expected ${expected.status} without a body, found ${found}`;
    case 'error': {
      const { code, message } = expected;
      const body = status === expected.status ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {};
      return body['code'] === code && (message === undefined || body['message'] === message)
        ? null
        : `expected ${expected.status} ${code} ${message ?? ''}, found ${found}`;
    }
    case 'fault':
      return status === 400 && isFaultBody(JSON.parse(text), expected.fault)
        ? null
        : `expected the fault ${JSON.stringify(expected.fault)}, found ${found}`;
    case 'syntax-error':
      return status === 400 && text.startsWith('{"validationErrors":[{') ? null : `expected an error of syntax, found ${found}`;
    case 'document':
      return status === 200 && text.includes('"/rows":') === expected.hasPath ? null : `expected a document, found ${found}`;
    default:
      return assertNever(expected);
  }
}

function isFaultBody(body: unknown, { fault, column }: Fault): boolean {
  const { validationErrors, runtimeError } = body as { readonly validationErrors: readonly FaultOnWire[]; readonly runtimeError: unknown };
  const [first] = validationErrors;
  if (first === undefined || validationErrors.length > 1 || runtimeError !== null || withoutAdvice(first.message) !== fault) return false;
  return column === null || isDeepStrictEqual(first.positions[0]?.begin, { line: 1, column });
}

/** Removes the advice from a message, which is present only if the query itself is at fault. */
function withoutAdvice(message: string): string {
  return message.replace(': no view or table has this name; READ("…") reads a file or a URL', '');
}

interface FaultOnWire {
  readonly message: string;
  readonly positions: readonly { readonly begin: { readonly line: number; readonly column: number } }[];
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/;

/** Replaces each timestamp of the interface's format by `TIME`. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isTime = value.length === 7 && value.every((part) => Number.isInteger(part)) && Number(value[0]) > 2000;
    return isTime ? 'TIMES' : value.map(withoutTimes);
  }
  if (typeof value === 'string') return LOCAL_TIME.test(value) ? 'TIME' : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutTimes(part)]));
}
