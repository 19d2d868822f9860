import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { apiTags } from '../../src/common/openapi/api-tags.js';
import { builtApp, builtDocument } from './built-app.js';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface DocumentedResponse {
  readonly content?: Record<string, { schema?: Schema }>;
}

describe('the OpenAPI document', () => {
  let app: INestApplication;
  let document: OpenAPIObject;
  let operations: (Operation & { readonly path: string })[];

  beforeAll(async () => {
    app = await builtApp();
    document = await builtDocument(app);
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item as Record<string, Operation>).map((operation) => ({
        ...operation,
        parameters: (operation.parameters ?? []).map((parameter) => sharedParameter(parameter, document)),
        responses: withShared(operation.responses, document),
        path,
      })),
    );
  });

  afterAll(() => app.close());

  it('is committed as it is generated (npm run openapi)', async () => {
    const committed = await readFile(join(import.meta.dirname, '../../openapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(document);
  });

  it('names every operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('summarizes every operation, under a tag that it explains', () => {
    const tags = new Set(
      (document.tags ?? []).filter(({ description }) => description).map(({ name }) => name),
    );
    const unexplained = operations.filter(
      ({ summary, tags: own = [] }) => !summary || own.length === 0 || !own.every((tag) => tags.has(tag)),
    );
    expect(unexplained.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('uses every tag', () => {
    const used = new Set(operations.flatMap(({ tags = [] }) => tags));
    expect(Object.keys(apiTags).filter((tag) => !used.has(tag))).toEqual([]);
  });

  it('declares every parameter of every path', () => {
    const missing = operations.flatMap(({ operationId, path, parameters = [] }) => {
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const needed = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      return needed.filter((name) => !declared.includes(name)).map((name) => `${operationId} ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('types every response: errors with one schema, others unless they are empty', () => {
    const untyped = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => {
          const schemas = Object.values(content ?? {}).map(({ schema }) => schema);
          if (Number(status) >= 400) return schemas[0]?.$ref !== '#/components/schemas/ErrorDto';
          const isEmpty = ['202', '204', '301', '302', '304'].includes(status);
          return !isEmpty && (schemas.length === 0 || schemas.includes(undefined));
        })
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(untyped).toEqual([]);
  });

  it('documents for every operation that it refuses invalid requests', () => {
    const undocumented = operations.filter(
      ({ path, responses }) => path.startsWith('/v1/') && !responses['400'],
    );
    expect(undocumented.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('documents for every body that it can be too large or of a wrong type', () => {
    const undocumented = operations.filter(
      ({ requestBody, responses }) => requestBody && !(responses['413'] && responses['415']),
    );
    expect(undocumented.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('explains every parameter', () => {
    const unexplained = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ description, schema }) => !description && !isTelling(schema))
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(unexplained).toEqual([]);
  });

  it('explains every field, unless an example, a format or an enumeration does', () => {
    const schemas = Object.entries(document.components?.schemas ?? {}) as [string, Schema][];
    const unexplained = schemas.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, schema]) => !isTelling(schema))
        .map(([field]) => `${name}.${field}`),
    );
    expect(unexplained).toEqual([]);
  });
});

/** The responses of an operation, with the content of those that operations share. */
function withShared(responses: Operation['responses'], document: OpenAPIObject): Operation['responses'] {
  const shared = document.components?.responses as Operation['responses'];
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const name = '$ref' in response ? String(response.$ref).replace(/^.*\//, '') : null;
      return [status, name === null ? response : shared[name]] as [string, DocumentedResponse];
    }),
  );
}

/** A parameter, or the one that it refers to. */
function sharedParameter(parameter: Parameter, document: OpenAPIObject): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const shared = document.components?.parameters as unknown as Readonly<Record<string, Parameter>>;
  return shared[String(parameter.$ref).replace(/^.*\//, '')] ?? parameter;
}

/** Whether readers know the possible values without reading the code. */
function isTelling(schema: Schema): boolean {
  const { $ref, description, format, example, allOf } = schema;
  return [$ref, description, format, example, allOf, schema.enum].some((part) => part !== undefined);
}
