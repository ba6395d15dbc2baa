import { nullable, recordOf, string } from '../types/types.ts';
import { jsonProblem } from './json-argument.ts';

const readText = (_: unknown, text: string): string => text;

test.each(['constructor', 'toString', '__proto__'])(
  'a member %s that the JSON lacks is missing, and none that every object has',
  (name) => {
    const lacking: unknown = JSON.parse('{"a": "b"}');
    expect(jsonProblem(recordOf([{ name, type: string }]), lacking, readText)).toBe(`${name} is missing`);
    expect(jsonProblem(recordOf([{ name, type: nullable(recordOf([])) }]), lacking, readText)).toBeNull();
    expect(jsonProblem(recordOf([{ name, type: string }]), JSON.parse(`{"${name}": "b"}`), readText)).toBeNull();
  },
);
