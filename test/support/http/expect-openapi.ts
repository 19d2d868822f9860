import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';
import type { Response } from 'supertest';

interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
}

interface Operation {
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>;
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { schema?: object; examples?: object }>>;
  readonly headers?: Readonly<Record<string, Header>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
  };
}

interface Loaded {
  readonly document: Document;
  readonly ajv: Ajv;
  readonly paths: readonly { readonly path: string; readonly pattern: RegExp; readonly parameters: number }[];
}

let loaded = load(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'));

/** Checks responses against another document from now on. @param text JSON */
export function useOpenApiDocument(text: string): void {
  loaded = load(text);
  compiled.clear();
}

function load(text: string): Loaded {
  const document = JSON.parse(text, (_key, value: unknown) => withoutNullable(value)) as Document;
  // Each spec file compiles the schemas and uses them a few times: compiling has to be fast, validating need not be.
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  (formats.default as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addSchema({ $id: 'openapi', components: document.components });
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    parameters: path.split('{').length,
  }));
  return { document, ajv, paths };
}

/**
 * Fails unless the document describes the response: the status of the operation, the code of an error, a JSON body that
 * fits its schema, and all required headers.
 */
export function expectOpenApi(method: string, url: string, response: Response): void {
  const { document, paths, ajv } = loaded;
  const path = url.split('?', 1)[0] ?? '';
  // Literal paths come before those with parameters.
  const found = paths
    .filter(({ pattern }) => pattern.test(path))
    .sort((a, b) => a.parameters - b.parameters)[0];
  const operation = found && document.paths[found.path]?.[method];
  if (found === undefined || operation === undefined) {
    if (response.status !== 404 && response.status !== 405)
      throw new Error(`${method} ${path} is not documented.`);
    return;
  }
  const documented = responseOf(operation, response.status);
  if (documented === undefined) {
    throw new Error(
      `${method} ${found.path} answers ${response.status}, which is not documented: ${response.text}`,
    );
  }
  expectHeaders(`${method} ${found.path} ${response.status}`, documented, response);
  const { schema, examples } = documented.content?.['application/json'] ?? {};
  const { code } = (response.body ?? {}) as { code?: string };
  if (response.status >= 400 && code !== undefined && examples !== undefined && !(code in examples))
    throw new Error(
      `${method} ${found.path} ${response.status} has the code ${code}, which is not documented.`,
    );
  if (schema === undefined || response.body === undefined) return;
  const validate = compile(`${method} ${found.path} ${response.status}`, schema);
  if (!validate(response.body)) {
    const problems = ajv.errorsText(validate.errors, { dataVar: 'body' });
    throw new Error(`${method} ${found.path} ${response.status} does not fit its schema: ${problems}`);
  }
}

function responseOf({ responses }: Operation, status: number): DocumentedResponse | undefined {
  const response = responses[String(status)];
  if (response === undefined || !('$ref' in response)) return response;
  return loaded.document.components.responses[response.$ref.replace(/^.*\//, '')];
}

function expectHeaders(name: string, { headers = {} }: DocumentedResponse, response: Response): void {
  const required = Object.entries(headers).filter(([, header]) => resolve(header).required === true);
  const missing = required.map(([header]) => header).filter((header) => !response.get(header));
  if (missing.length > 0) throw new Error(`${name} lacks the headers ${missing.join(', ')}.`);
  const { etag } = response.headers as { etag?: string };
  if (etag !== undefined && !('ETag' in headers))
    throw new Error(`${name} has an ETag, which is not documented.`);
}

function resolve(header: Header): Header {
  return (header.$ref && loaded.document.components.headers[header.$ref.replace(/^.*\//, '')]) || header;
}

const compiled = new Map<string, ValidateFunction>();

function compile(key: string, schema: object): ValidateFunction {
  let validate = compiled.get(key);
  if (validate === undefined) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
    validate = loaded.ajv.compile(JSON.parse(text) as object);
    compiled.set(key, validate);
  }
  return validate;
}

/** OpenAPI 3.0 says `nullable`, JSON Schema says "or null". */
function withoutNullable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nullable' in value)) return value;
  const { nullable, ...schema } = value;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
