import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';

/** A response as far as the document describes it. */
export interface CheckedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
}

interface Operation {
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly content?: Readonly<Record<string, { schema?: object }>>;
  readonly headers?: Readonly<Record<string, Header>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, Header>>;
  };
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
  (_key, value: unknown) => withoutNullable(value),
) as Document;

// A schema validates a few bodies only: compiling has to be fast, validating need not be.
const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
(formats.default as unknown as (ajv: Ajv) => void)(ajv);
ajv.addSchema({ $id: 'openapi', components: document.components });

const paths = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  parameters: path.split('{').length,
}));

/**
 * Whether the document describes a response: the status of the operation, a JSON body that fits its schema, and headers
 * of which none is missing that the document calls required.
 *
 * @returns what is wrong; `null`: nothing
 */
export function openApiProblem(method: string, url: string, response: CheckedResponse): string | null {
  const path = url.split('?', 1)[0] ?? '';
  // Literal paths come before those with parameters.
  const found = paths
    .filter(({ pattern }) => pattern.test(path))
    .sort((a, b) => a.parameters - b.parameters)[0];
  const operation = found && document.paths[found.path]?.[method];
  if (found === undefined || operation === undefined) {
    return response.status === 404 || response.status === 405 ? null : `${method} ${path} is not documented.`;
  }
  const documented = operation.responses[String(response.status)];
  if (documented === undefined) {
    return `${method} ${found.path} answers ${response.status}, which is not documented: ${response.text}`;
  }
  const name = `${method} ${found.path} ${response.status}`;
  const problem = headerProblem(documented, response);
  if (problem !== null) return `${name} ${problem}`;
  const schema = documented.content?.['application/json']?.schema;
  if (schema === undefined || response.body === undefined) return null;
  const validate = compile(name, schema);
  if (validate(response.body)) return null;
  return `${name} does not fit its schema: ${ajv.errorsText(validate.errors, { dataVar: 'body' })}`;
}

function headerProblem({ headers = {} }: Answer, response: CheckedResponse): string | null {
  const required = Object.entries(headers).filter(([, header]) => resolve(header).required === true);
  const missing = required.map(([name]) => name).filter((name) => !response.headers[name.toLowerCase()]);
  if (missing.length > 0) return `lacks the headers ${missing.join(', ')}.`;
  const isUndocumented = response.headers['etag'] !== undefined && !('ETag' in headers);
  return isUndocumented ? 'has an ETag, which is not documented.' : null;
}

function resolve(header: Header): Header {
  return (header.$ref && document.components.headers[header.$ref.replace(/^.*\//, '')]) || header;
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
