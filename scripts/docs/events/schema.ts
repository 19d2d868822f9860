import type {
  DocumentedEvent,
  DocumentWithEvents,
} from '../../../src/notifications/event-types/event-schemas.ts';

/** The part of a schema that the page of events shows. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** What all events have. */
export const ENVELOPE: Schema = { $ref: '#/components/schemas/EventEnvelopeDto' };

/** All named schemas of the document. */
export function schemasOf({ components }: DocumentWithEvents): Schemas {
  return (components?.schemas ?? {}) as Schemas;
}

/** The schema itself, or what it refers to. @throws Error when there is none */
export function resolve({ $ref, allOf, ...schema }: Schema, schemas: Schemas): Schema {
  const [whole] = allOf ?? [];
  if (whole !== undefined) return { ...resolve(whole, schemas), ...schema };
  if ($ref === undefined) return schema;
  const target = schemas[$ref.replace(/^.*\//, '')];
  if (target === undefined) throw new Error(`There is no schema ${$ref}.`);
  // What is said of the schema is not about the field.
  const { description: _description, ...resolved } = resolve(target, schemas);
  return { ...resolved, ...schema };
}

/** The schema of the data of a kind of event. */
export function dataOf({ requestBody }: DocumentedEvent, schemas: Schemas): Schema {
  const [own] = (requestBody.content['application/json'].schema as Schema).allOf ?? [];
  return resolve(own?.properties?.['data'] ?? {}, schemas);
}
