import { assertNever, readTemporal, type OptionValue, type PackageParameter, type PrimitiveName, type Type } from '@svc/query-language';

/** Returns the default of a parameter as JSON; undefined if there is none, or JSON cannot represent it. */
export function defaultOf({ type, defaultValue }: PackageParameter): unknown {
  return defaultValue === undefined ? undefined : asJson(type, defaultValue);
}

/** Undefined if JSON cannot represent a part of the value. */
function asJson(type: Type, value: OptionValue): unknown {
  if (value === null) return type.isNullable ? null : undefined;
  switch (type.kind) {
    case 'PrimitiveType':
      return primitiveJson(type.name, value);
    case 'CollectionType': {
      const elements = Array.isArray(value) ? value.map((element: OptionValue) => asJson(type.element, element)) : [undefined];
      return elements.includes(undefined) ? undefined : elements;
    }
    case 'RecordType': {
      if (typeof value !== 'object' || Array.isArray(value)) return undefined;
      const fields = Object.entries(value as Readonly<Record<string, OptionValue>>); // arrays are out by now
      const found = type.fields.map((field) => {
        const part = fields.find(([name]) => name === field.name)?.[1];
        return [field.name, part === undefined ? undefined : asJson(field.type, part)] as const;
      });
      return found.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(found);
    }
    case 'AnyType':
      return value;
    case 'FunctionType':
    case 'ErrorType':
      return undefined;
    default:
      return assertNever(type);
  }
}

function primitiveJson(name: PrimitiveName, value: OptionValue): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : undefined;
  if (name === 'time' || name === 'timestamp') return withMillis((readTemporal(name, value) ?? value).replace(' ', 'T'));
  if (name === 'interval') return intervalText(value);
  return name === 'binary' ? undefined : value;
}

/** Prints times with milliseconds, with microseconds only if they are not zero. */
function withMillis(text: string): string {
  return text.replace(/(\.\d{3})000$/, '$1');
}

/** `<months> <days> <microseconds>` as ISO 8601. */
function intervalText(text: string): string | undefined {
  const match = /^(-?\d+) (-?\d+) (-?\d+)$/.exec(text);
  if (match === null) return undefined;
  const [months, days, micros] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const part = (amount: number, unit: string): string => (amount === 0 ? '' : `${amount}${unit}`);
  const seconds = micros % 60_000_000;
  const fraction = (seconds / 1e6)
    .toFixed(6)
    .replace(/000$/, '')
    .replace(/\.000$/, '');
  const date = part(Math.trunc(months / 12), 'Y') + part(months % 12, 'M') + part(days, 'D');
  const minutes = Math.trunc(micros / 60_000_000);
  const time = part(Math.trunc(minutes / 60), 'H') + part(minutes % 60, 'M') + (seconds === 0 ? '' : `${fraction}S`);
  return date === '' && time === '' ? 'PT0S' : `P${date}${time === '' ? '' : `T${time}`}`;
}
