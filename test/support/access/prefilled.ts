import { type Parameter, resolveSchema } from '../http/openapi-document.js';
import { form, type Form } from '../http/multipart.js';
import type { Objects } from './objects.js';
import type { Route } from './routes.js';
import type { Input } from './rows.js';

/** What Swagger UI sends for an operation when the user fills in nothing but ids. */
export interface Prefilled {
  readonly query: string;
  /** JSON as in the text field. */
  readonly json?: string;
  readonly form?: Form;
}

/**
 * What "Try it out" sends: the examples and defaults of the document, with the ids of real objects.
 *
 * @param input a valid input, for its ids
 */
export function prefilledFor({ operation }: Route, objects: Objects, input: Input): Prefilled {
  const { requestBody, parameters = [] } = operation;
  const query = new URLSearchParams();
  for (const parameter of parameters.filter((each) => each.in === 'query')) {
    const value = valueOf(parameter, new URLSearchParams(input.query));
    if (value !== undefined) query.set(parameter.name, String(value));
  }
  const json = requestBody?.content['application/json']?.schema;
  const multipart = requestBody?.content['multipart/form-data']?.schema;
  return {
    query: query.toString(),
    ...(json && {
      json: JSON.stringify(withIds(exampleOf(json), objects, { ...input.body }), null, 2),
    }),
    ...(multipart && { form: formOf(resolveSchema(multipart).properties ?? {}) }),
  };
}

type Schema = Parameter['schema'];

/** Ids come from the valid input, everything else from the document. */
function valueOf({ name, required, example, schema }: Parameter, valid: URLSearchParams): unknown {
  const isId = name === 'ids' || resolveSchema(schema).format === 'uuid';
  if (isId) return required ? valid.get(name) : undefined;
  return example ?? resolveSchema(schema).example ?? resolveSchema(schema).default;
}

/** Swagger UI makes a list of the example of its entries. */
function exampleOf(schema: Schema): unknown {
  const { example, items } = resolveSchema(schema);
  return example ?? (items && [exampleOf(items)]);
}

/** Replaces the ids of the example by those of the same fields of the valid body, or those of the path. */
function withIds(example: unknown, { app, ids }: Objects, body: Record<string, unknown>): object {
  if (Array.isArray(example)) return example;
  const known: Readonly<Record<string, unknown>> = { forcedAppChannelId: app.defaultChannelId, ...ids };
  const entries = Object.entries(Object(example) as Record<string, unknown>).map(
    ([key, value]) => [key, /Ids?$/.test(key) ? (body[key] ?? known[key] ?? value) : value] as const,
  );
  return Object.fromEntries(entries);
}

/** Fields without an example are empty, and those that are not required are left out then. Files are not chosen. */
function formOf(properties: Readonly<Record<string, Schema>>): Form {
  return form(
    Object.entries(properties).flatMap(([name, { example }]) =>
      example === undefined ? [] : [{ name, content: String(example) }],
    ),
  );
}
