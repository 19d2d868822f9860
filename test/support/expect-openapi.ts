import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';
import type { Response } from 'supertest';

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema?: object }> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
  (_key, value: unknown) => withoutNullable(value),
) as Document;

const ajv = new Ajv({ strict: false, allErrors: true });
(formats.default as unknown as (ajv: Ajv) => void)(ajv);
ajv.addSchema({ $id: 'openapi', components: document.components });

const paths = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  parameters: path.split('{').length,
}));

/** Fails unless the document describes the answer: the status of the operation, and a JSON body that fits its schema. */
export function expectOpenApi(method: string, url: string, response: Response): void {
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
  const documented = operation.responses[String(response.status)];
  if (documented === undefined) {
    throw new Error(
      `${method} ${found.path} answers ${response.status}, which is not documented: ${response.text}`,
    );
  }
  const schema = documented.content?.['application/json']?.schema;
  if (schema === undefined || response.body === undefined) return;
  const validate = compile(`${method} ${found.path} ${response.status}`, schema);
  if (!validate(response.body)) {
    const problems = ajv.errorsText(validate.errors, { dataVar: 'body' });
    throw new Error(`${method} ${found.path} ${response.status} does not fit its schema: ${problems}`);
  }
}

const compiled = new Map<string, ValidateFunction>();

function compile(key: string, schema: object): ValidateFunction {
  let validate = compiled.get(key);
  if (validate === undefined) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
    validate = ajv.compile(JSON.parse(text) as object);
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
