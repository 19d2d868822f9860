import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE } from './api-example.decorator.js';
import { EXAMPLE_TIME, exampleId } from './example-values.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaOrReference = Schemas[string];
/** A schema of the document. */
export type Schema = Exclude<SchemaOrReference, { $ref: string }> & {
  [EXAMPLE]?: Readonly<Record<string, unknown>>;
};

const formats: Readonly<Record<string, string>> = {
  'date-time': EXAMPLE_TIME,
  date: EXAMPLE_TIME.slice(0, 10),
  email: 'ada@example.com',
  uri: 'https://slipway.example.com/',
  byte: 'c2lnbmF0dXJl',
};

/**
 * The simplest value that a schema allows: its example, `null`, or the first value of an enumeration, the default,
 * the minimum, or the required fields of an object.
 *
 * @param name of the field or the schema, which says whose id it is
 */
export function sampleOf(schema: SchemaOrReference, name: string, schemas: Schemas): unknown {
  if ('$ref' in schema) {
    const target = schema.$ref.replace(/^.*\//, '');
    return sampleOf(schemas[target] as SchemaOrReference, target, schemas);
  }
  if (schema.example !== undefined) return schema.example;
  // Tools do not agree whether `nullable` allows null beside `allOf`, and the object shows more.
  const [whole] = schema.allOf ?? [];
  if (whole !== undefined) return sampleOf(whole, name, schemas);
  if (schema.nullable === true) return null;
  const [part] = schema.oneOf ?? schema.anyOf ?? [];
  if (part !== undefined) return sampleOf(part, name, schemas);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  switch (schema.type) {
    case 'object':
      return sampleOfObject(schema, name, schemas);
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(schema.items, name, schemas)];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    default:
      return schema.format === 'uuid' ? exampleId(kindOf(name)) : formats[schema.format ?? ''];
  }
}

function sampleOfObject(schema: Schema, name: string, schemas: Schemas): object {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {})
    .filter(([field]) => required.has(field))
    .map(([field, property]) => [field, sampleOf(property, field === 'id' ? name : field, schemas)] as const);
  return { ...Object.fromEntries(fields), ...schema[EXAMPLE] };
}

/** Schemas with another name than the kind of their objects. */
const kinds: Readonly<Record<string, string>> = {
  AppSummaryBuild: 'Build',
  AppSummaryChannel: 'Channel',
  AppSummaryDeployment: 'Deployment',
  DecidedDeployment: 'Deployment',
  DiscoveredChannel: 'Channel',
  IssuedToken: 'Token',
  MemberUser: 'User',
  MemberWithUser: 'Member',
  OwnApp: 'App',
  OwnOrganization: 'Organization',
  ReceivedInvitation: 'Invitation',
};

/** The kind of object that a schema or an id is about: `ChannelDto` and `forcedAppChannelId` become `Channel`. */
export function kindOf(name: string): string {
  const kind = name.replace(/(?:Dto|Ids?)$/, '').replace(/^(?:forcedApp|app)(?=[A-Z])/, '');
  return kinds[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1);
}
