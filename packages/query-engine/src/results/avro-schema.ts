import type { FieldType, PrimitiveName, PrimitiveType, Type } from '@svc/query-language';

import { DECIMAL_SCALE, DECIMAL_WIDTH } from '../representation/duck-type.ts';
import { memberNames } from '../representation/member-names.ts';
import type { FileColumn } from './file-rows.ts';

/** An Avro schema, in its JSON form. */
export type AvroSchema = string | readonly AvroSchema[] | { readonly [key: string]: AvroValue };
type AvroValue = AvroSchema | number | null | readonly AvroField[];

interface AvroField {
  readonly name: string;
  readonly type: AvroSchema;
  readonly default?: null;
}

/** Names as Avro allows them: other characters become `_`, a leading digit gets one before it, a collision a number. */
export function avroNames(fields: readonly FieldType[]): readonly string[] {
  return memberNames(fields.map((field) => ({ ...field, name: avroName(field.name) })));
}

function avroName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, '_').replace(/^(?=[0-9])/, '_');
}

/** Creates the schema of a file's rows: a record `result` with a field per column, NULL as a union. */
export function avroSchema(columns: readonly FileColumn[]): AvroSchema {
  const writer = new SchemaWriter();
  return { type: 'record', name: writer.newName('result'), fields: columns.map(({ name, type }) => writer.field(name, type)) };
}

/** Names of records and of the type of decimals are unique within a schema; that type is defined once, and then named. */
class SchemaWriter {
  readonly #taken = new Set<string>();
  #decimal: string | null = null;

  newName(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n++) name = `${wanted}_${n}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }

  field(name: string, type: Type): AvroField {
    const schema = this.#schema(type, name);
    return type.isNullable ? { name, type: schema, default: null } : { name, type: schema };
  }

  #schema(type: Type, name: string): AvroSchema {
    const schema = this.#notNull(type, name);
    return type.isNullable ? ['null', schema] : schema;
  }

  #notNull(type: Type, name: string): AvroSchema {
    switch (type.kind) {
      case 'PrimitiveType':
        return this.#primitive(type);
      case 'AnyType':
        return 'string';
      case 'CollectionType':
        return { type: 'array', items: this.#schema(type.element, name) };
      case 'RecordType': {
        if (type.fields.length === 0) return 'boolean';
        const recordName = this.newName(name);
        const names = avroNames(type.fields);
        return { type: 'record', name: recordName, fields: type.fields.map((field, i) => this.field(names[i] ?? '', field.type)) };
      }
      case 'FunctionType':
      case 'ErrorType':
        throw new Error(`A result cannot hold a ${type.kind}.`);
    }
  }

  #primitive({ name }: PrimitiveType): AvroSchema {
    if (name !== 'decimal') return PRIMITIVE_SCHEMAS[name];
    if (this.#decimal !== null) return this.#decimal;
    this.#decimal = this.newName(`decimal_${DECIMAL_WIDTH}_${DECIMAL_SCALE}`);
    return {
      type: 'fixed',
      name: this.#decimal,
      size: 16,
      logicalType: 'decimal',
      precision: DECIMAL_WIDTH,
      scale: DECIMAL_SCALE,
    };
  }
}

const PRIMITIVE_SCHEMAS = {
  byte: 'int',
  short: 'int',
  int: 'int',
  long: 'long',
  float: 'float',
  double: 'double',
  bool: 'boolean',
  string: 'string',
  regex: 'string',
  binary: 'bytes',
  interval: 'string',
  date: { type: 'int', logicalType: 'date' },
  time: { type: 'long', logicalType: 'time-micros' },
  timestamp: { type: 'long', logicalType: 'local-timestamp-micros' },
} as const satisfies Record<Exclude<PrimitiveName, 'decimal'>, AvroSchema>;
