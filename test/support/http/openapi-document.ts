import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '../../../src/common/access/permissions.js';

/** One operation, as far as tests read it. */
export interface OpenApiOperation {
  readonly 'x-permission'?: Permission;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly Schema[];
}

interface OpenApi {
  readonly paths: OpenApiPaths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Operations by path and method. */
export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'),
) as OpenApi;

/** The paths of `openapi.json`. */
export function readOpenApiPaths(): OpenApiPaths {
  return document.paths;
}

/** Names of the fields of an operation's JSON body; none without a body. */
export function bodyFieldsOf({ requestBody }: OpenApiOperation): string[] {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? [] : fieldsOf(schema);
}

function fieldsOf({ $ref, properties = {}, allOf = [] }: Schema): string[] {
  const referenced = $ref === undefined ? undefined : document.components.schemas[$ref.replace(/^.*\//, '')];
  return [
    ...Object.keys(properties),
    ...[...allOf, ...(referenced === undefined ? [] : [referenced])].flatMap(fieldsOf),
  ];
}
