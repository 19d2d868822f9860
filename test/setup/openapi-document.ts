import { Ajv, type ValidateFunction } from 'ajv';
import * as formats from 'ajv-formats';

/** A response as far as the document describes it. */
export interface CheckedResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

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

/** The OpenAPI document, compiled schema by schema as responses come. */
export class OpenApiDocument {
  private readonly document: Document;
  private readonly paths: readonly { path: string; pattern: RegExp; parameters: number }[];
  // A schema validates a few bodies only: compiling has to be fast, validating need not be.
  private readonly ajv = new Ajv({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
  });
  private readonly compiled = new Map<string, ValidateFunction>();

  /** @param text JSON */
  constructor(text: string) {
    this.document = JSON.parse(text, (_key, value: unknown) => withoutNullable(value)) as Document;
    (formats.default as unknown as (ajv: Ajv) => void)(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: this.document.components });
    this.paths = Object.keys(this.document.paths).map((path) => ({
      path,
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
    }));
  }

  /**
   * Whether it describes a response: the status of the operation, the code of an error, a JSON body that fits its
   * schema, and all required headers.
   *
   * @returns what is wrong, as a sentence; `null`: nothing
   */
  problemOf(method: string, url: string, response: CheckedResponse): string | null {
    const path = url.split('?', 1)[0] ?? '';
    // Literal paths come before those with parameters.
    const found = this.paths
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => a.parameters - b.parameters)[0];
    const operation = found && this.document.paths[found.path]?.[method];
    if (found === undefined || operation === undefined) {
      return response.status === 404 || response.status === 405
        ? null
        : `${method} ${path} is not documented.`;
    }
    const documented = this.responseOf(operation, response.status);
    if (documented === undefined) {
      return `${method} ${found.path} answers ${response.status}, which is not documented: ${response.text}`;
    }
    const name = `${method} ${found.path} ${response.status}`;
    const problem = this.headerProblem(documented, response);
    if (problem !== null) return `${name} ${problem}`;
    const { schema, examples } = documented.content?.['application/json'] ?? {};
    const { code } = (response.body ?? {}) as { code?: string };
    if (
      response.status >= 400 &&
      code !== undefined &&
      !isOfRace(code) &&
      examples !== undefined &&
      !(code in examples)
    )
      return `${name} has the code ${code}, which is not documented.`;
    if (schema === undefined || response.body === undefined) return null;
    const validate = this.compile(name, schema);
    if (validate(response.body)) return null;
    return `${name} does not fit its schema: ${this.ajv.errorsText(validate.errors, { dataVar: 'body' })}`;
  }

  private responseOf({ responses }: Operation, status: number): DocumentedResponse | undefined {
    const response = responses[String(status)];
    if (response === undefined || !('$ref' in response)) return response;
    return this.document.components.responses[response.$ref.replace(/^.*\//, '')];
  }

  private headerProblem({ headers = {} }: DocumentedResponse, response: CheckedResponse): string | null {
    const required = Object.entries(headers).filter(([, header]) => this.resolve(header).required === true);
    const missing = required.map(([name]) => name).filter((name) => !response.headers[name.toLowerCase()]);
    if (missing.length > 0) return `lacks the headers ${missing.join(', ')}.`;
    const isUndocumented = response.headers['etag'] !== undefined && !('ETag' in headers);
    return isUndocumented ? 'has an ETag, which is not documented.' : null;
  }

  private resolve(header: Header): Header {
    return (header.$ref && this.document.components.headers[header.$ref.replace(/^.*\//, '')]) || header;
  }

  private compile(key: string, schema: object): ValidateFunction {
    let validate = this.compiled.get(key);
    if (validate === undefined) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
      validate = this.ajv.compile(JSON.parse(text) as object);
      this.compiled.set(key, validate);
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

/** Whether a code says that another request deleted something in the meantime: any operation can get it. */
function isOfRace(code: string): boolean {
  return code === 'conflict' || code.endsWith('_not_found');
}
