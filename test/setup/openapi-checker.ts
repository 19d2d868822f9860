import { Ajv, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';

/** A response as far as an OpenAPI document describes it. */
export interface CheckedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

/** Compares a response with a document. @returns what is wrong; `null`: nothing */
export type OpenApiChecker = (method: string, url: string, response: CheckedResponse) => string | null;

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

/**
 * A checker for the status of an operation, the code of an error, a JSON body that fits its schema, and all required
 * headers.
 *
 * @param text the document as JSON
 */
export function openApiChecker(text: string): OpenApiChecker {
  const document = JSON.parse(text, (_key, value: unknown) => withoutNullable(value)) as Document;
  // A schema validates a few bodies only: compiling has to be fast, validating need not be.
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  (formats.default as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addSchema({ $id: 'openapi', components: document.components });
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    parameters: path.split('{').length,
  }));
  const compiled = new Map<string, ValidateFunction>();

  return (method, url, response) => {
    const path = url.split('?', 1)[0] ?? '';
    // Literal paths come before those with parameters.
    const found = paths
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => a.parameters - b.parameters)[0];
    const operation = found && document.paths[found.path]?.[method];
    if (found === undefined || operation === undefined) {
      return [404, 405].includes(response.status) ? null : `${method} ${path} is not documented.`;
    }
    const name = `${method} ${found.path} ${response.status}`;
    const documented = responseOf(operation, response.status);
    if (documented === undefined) return `${name} is not documented: ${response.text}`;
    const problem = headerProblem(documented, response);
    if (problem !== null) return `${name} ${problem}`;
    const { schema, examples } = documented.content?.['application/json'] ?? {};
    const { code } = (response.body ?? {}) as { code?: string };
    if (response.status >= 400 && code !== undefined && examples !== undefined && !(code in examples)) {
      return `${name} has the code ${code}, which is not documented.`;
    }
    if (schema === undefined || response.body === undefined) return null;
    const validate = compile(name, schema);
    if (validate(response.body)) return null;
    return `${name} does not fit its schema: ${ajv.errorsText(validate.errors, { dataVar: 'body' })}`;
  };

  function responseOf({ responses }: Operation, status: number): DocumentedResponse | undefined {
    const response = responses[String(status)];
    if (response === undefined || !('$ref' in response)) return response;
    return document.components.responses[response.$ref.replace(/^.*\//, '')];
  }

  function headerProblem({ headers = {} }: DocumentedResponse, response: CheckedResponse): string | null {
    const resolve = (header: Header): Header =>
      (header.$ref && document.components.headers[header.$ref.replace(/^.*\//, '')]) || header;
    const required = Object.entries(headers).filter(([, header]) => resolve(header).required === true);
    const missing = required.map(([name]) => name).filter((name) => !response.headers[name.toLowerCase()]);
    if (missing.length > 0) return `lacks the headers ${missing.join(', ')}.`;
    const isUndocumented = response.headers['etag'] !== undefined && !('ETag' in headers);
    return isUndocumented ? 'has an ETag, which is not documented.' : null;
  }

  function compile(key: string, schema: object): ValidateFunction {
    let validate = compiled.get(key);
    if (validate === undefined) {
      const references = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
      validate = ajv.compile(JSON.parse(references) as object);
      compiled.set(key, validate);
    }
    return validate;
  }
}

/** OpenAPI 3.0 says `nullable`, JSON Schema says "or null". */
function withoutNullable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nullable' in value)) return value;
  const { nullable, ...schema } = value;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
