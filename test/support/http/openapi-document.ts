import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '../../../src/common/access/permissions.js';

/** One operation, as far as tests read it. */
export interface OpenApiOperation {
  readonly 'x-permission'?: Permission;
  readonly 'x-authenticated-by'?: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters?: readonly Parameter[];
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Schema {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  /** Of the entries of a list. */
  readonly items?: Schema;
}

interface OpenApi {
  readonly paths: OpenApiPaths;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** Operations by path and method. */
export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'),
) as OpenApi;

/** The paths of `openapi.json`, with the parameters that operations share. */
export function readOpenApiPaths(): OpenApiPaths {
  return mapValues(document.paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      parameters: (operation.parameters ?? []).map((parameter) =>
        '$ref' in parameter ? document.components.parameters[nameOf(String(parameter.$ref))] : parameter,
      ) as Parameter[],
    })),
  );
}

/** A schema, or the one that it refers to. */
export function resolveSchema(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? schema);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

const nameOf = (reference: string): string => reference.replace(/^.*\//, '');

/** Names of the fields of an operation's JSON body; none without a body. */
export function bodyFieldsOf({ requestBody }: OpenApiOperation): string[] {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? [] : fieldsOf(schema);
}

function fieldsOf(schema: Schema): string[] {
  const { properties = {}, allOf = [] } = resolveSchema(schema);
  return [...Object.keys(properties), ...allOf.flatMap(fieldsOf)];
}
