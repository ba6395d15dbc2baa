import { printType } from '../types/print.ts';
import type { Plan } from './plan.ts';

const INDENT = '  ';
/** Maximum length of a printed constant. */
const MAX_TEXT = 60;

/**
 * Prints a plan as an indented tree, for tests and the log: one line per node with its members and type, and its children,
 * each with the name of its member.
 */
export function printPlan(plan: Plan): string {
  return lines(plan, '', '').join('\n');
}

function lines(plan: Plan, label: string, indent: string): readonly string[] {
  const own: string[] = [];
  const below: string[] = [];
  for (const [name, value] of Object.entries(plan)) {
    if (name === 'kind' || name === 'type' || name === 'span') continue;
    if (holdsPlan(value)) below.push(...held(value, name, indent + INDENT));
    else if (!isAbsent(value)) own.push(`${name}=${ownText(value)}`);
  }
  return [`${indent}${label === '' ? '' : `${label}: `}${[plan.kind, ...own].join(' ')} : ${printType(plan.type)}`, ...below];
}

function held(value: unknown, label: string, indent: string): readonly string[] {
  if (isPlan(value)) return lines(value, label, indent);
  if (Array.isArray(value)) return value.flatMap((part, i) => held(part, `${label}[${i}]`, indent));
  if (typeof value !== 'object' || value === null) return isAbsent(value) ? [] : [`${indent}${label}=${ownText(value)}`];
  return Object.entries(value).flatMap(([name, part]) => (isType(part) ? [] : held(part, `${label}.${name}`, indent)));
}

function isPlan(value: unknown): value is Plan {
  return typeof value === 'object' && value !== null && 'kind' in value && 'span' in value && 'type' in value;
}

function isType(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && 'isNullable' in value;
}

function holdsPlan(value: unknown): boolean {
  if (isPlan(value)) return true;
  if (Array.isArray(value)) return value.some(holdsPlan);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPlan);
}

/** Returns whether a member has its empty value, which is not printed. */
function isAbsent(value: unknown): boolean {
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function ownText(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
