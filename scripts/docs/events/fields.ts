import { resolve, type Schema, type Schemas } from './schema.ts';

/** What is in objects that are fields of fields, the schema says. */
const MAX_DEPTH = 2;

/**
 * The rows of a table: field, type, meaning. Fields of objects and of their lists follow them. Optional fields are what
 * requests can ask for besides: events do not have them.
 */
export function rowsOf(schema: Schema, schemas: Schemas, prefix = '', depth = 1): string[][] {
  const { properties = {}, required = [] } = resolve(schema, schemas);
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  return fields.flatMap(([name, field]) => {
    const resolved = resolve(field, schemas);
    const path = `${prefix}${name}`;
    const row = [`\`${path}\``, typeOf(resolved, schemas), cell(resolved.description ?? '')];
    if (depth === MAX_DEPTH) return [row];
    const items = resolved.items === undefined ? resolved : resolve(resolved.items, schemas);
    const inner = resolved.items === undefined ? `${path}.` : `${path}[].`;
    return [row, ...rowsOf(items, schemas, inner, depth + 1)];
  });
}

/** Text in a cell of a table, on one line. */
export function cell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const type = nameOf(schema, schemas);
  return schema.nullable === true ? `${type} or null` : type;
}

function nameOf(schema: Schema, schemas: Schemas): string {
  const values = (schema.enum ?? []).filter((value) => value !== null);
  if (values.length > 0) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.items !== undefined) return `list of ${nameOf(resolve(schema.items, schemas), schemas)}`;
  if (schema.format === 'uuid') return 'UUID';
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return schema.type ?? 'any';
}
