import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '../../../src/common/access/permissions.js';

/** One operation, as far as tests read it. */
export interface OpenApiOperation {
  readonly 'x-permission'?: Permission;
  readonly requestBody?: object;
  readonly parameters?: readonly { readonly name: string }[];
}

/** Operations by path and method. */
export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

/** The paths of `openapi.json`. */
export function readOpenApiPaths(): OpenApiPaths {
  const text = readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8');
  return (JSON.parse(text) as { paths: OpenApiPaths }).paths;
}
