/*
 * JSON Schema (2020-12) of events, made from the OpenAPI document. Imports nothing, so that scripts/docs can use it.
 */

/** What the OpenAPI document says about a kind of event. */
export interface DocumentedEvent {
  readonly summary: string;
  readonly description: string;
  readonly 'x-of': string;
  readonly 'x-permission': string;
  readonly 'x-severity': string;
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: object; readonly example?: object } };
  };
}

/** The part of the OpenAPI document that the schemas are made from. */
export interface DocumentWithEvents {
  'x-webhooks'?: Readonly<Record<string, { readonly post: DocumentedEvent }>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

type Json = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const COMPONENTS = '#/components/schemas/';

/** The schema of each kind of event by type, in webhooks and in the feed, with the parts that it refers to in its `$defs`. */
export function eventSchemas(document: DocumentWithEvents): ReadonlyMap<string, object> {
  return new Map(
    typesOf(document).map(([type, schema]) => [type, withParts({ $schema: DIALECT, ...schema }, document)]),
  );
}

/** One schema of all events: each is one of `$defs`, by its type. */
export function schemaOfEvents(document: DocumentWithEvents): object {
  const types = typesOf(document);
  const whole = {
    $schema: DIALECT,
    title: 'Event',
    description: 'An event in the feed, and in webhooks with the format `raw`.',
    oneOf: types.map(([type]) => ({ $ref: `#/$defs/${type}` })),
  };
  return withParts(whole, document, Object.fromEntries(types));
}

function typesOf(document: DocumentWithEvents): [string, Json][] {
  return Object.entries(document['x-webhooks'] ?? {}).map(([type, { post }]) => {
    const { required: _inWebhooks, ...schema } = post.requestBody.content['application/json'].schema as Json;
    return [type, { title: post.summary, description: post.description, ...(jsonSchema(schema) as Json) }];
  });
}

/** The schema with everything in `$defs` that it or one of these refers to. */
function withParts(schema: Json, { components }: DocumentWithEvents, own: Json = {}): object {
  const parts: Record<string, unknown> = { ...own };
  const add = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (name in parts) continue;
      parts[name] = jsonSchema(components?.schemas?.[name] ?? {});
      add(parts[name]);
    }
  };
  add([schema, own]);
  const sorted = Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...schema, $defs: Object.fromEntries(sorted) };
}

/**
 * A schema of OpenAPI 3.0 as JSON Schema: `nullable` becomes a type, `example` a list, exclusive limits numbers; extensions
 * go.
 *
 * @see https://spec.openapis.org/oas/v3.0.3#schema-object
 */
export function jsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example, discriminator: _discriminator, xml: _xml, ...rest } = value as Json;
  const schema = Object.fromEntries(
    Object.entries(rest)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, part]) => [key, convert(key, part)]),
  );
  limit(schema, 'exclusiveMinimum', 'minimum');
  limit(schema, 'exclusiveMaximum', 'maximum');
  if (example !== undefined) schema['examples'] = [example];
  return nullable === true ? orNull(schema) : schema;
}

function convert(key: string, part: unknown): unknown {
  switch (key) {
    case '$ref':
      return typeof part === 'string' ? part.replace(COMPONENTS, '#/$defs/') : part;
    // Names of fields, which may be called like a keyword.
    case 'properties':
      return Object.fromEntries(
        Object.entries(part as Json).map(([name, field]) => [name, jsonSchema(field)]),
      );
    case 'enum':
    case 'default':
    case 'required':
      return part;
    default:
      return jsonSchema(part);
  }
}

/** OpenAPI 3.0 says beside the limit whether it is exclusive; JSON Schema has a separate limit. */
function limit(schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  const isExclusive = schema[exclusive];
  delete schema[exclusive];
  if (!isExclusive) return;
  schema[exclusive] = schema[inclusive];
  delete schema[inclusive];
}

function orNull({ description, examples, ...schema }: Record<string, unknown>): Json {
  const notes = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  const { type, enum: values } = schema;
  if (typeof type !== 'string' || 'allOf' in schema) return { ...notes, anyOf: [schema, { type: 'null' }] };
  const allowed = Array.isArray(values) ? { enum: [...new Set([...(values as unknown[]), null])] } : {};
  return { ...schema, ...notes, type: [type, 'null'], ...allowed };
}
