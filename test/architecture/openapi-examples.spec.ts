import { STATUS_CODES } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { Ajv } from 'ajv';
import * as formats from 'ajv-formats';
import { errorCatalogue, type ErrorCode } from '../../src/common/errors/catalogue/error-catalogue.js';
import { builtApp, builtDocument } from './built-app.js';

/*
 * What Swagger UI shows and sends: every body and response has an example, "Try it out" is not prefilled with values that
 * filter everything away, and every error has an example with its own code.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema & { readonly anyOf?: readonly Schema[] };
  readonly oneOf?: readonly Schema[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: readonly (Response & { readonly status: string })[];
}

let app: INestApplication;
let document: Record<string, unknown>;
let operations: readonly Operation[];

/** A part of the document, or what it refers to. */
function resolve<T extends object>(part: T): T {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part;
  const keys = $ref.slice(2).split('/');
  return keys.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], document) as T;
}

beforeAll(async () => {
  app = await builtApp();
  document = (await builtDocument(app)) as unknown as Record<string, unknown>;
  const paths = document['paths'] as Record<string, Record<string, Record<string, never>>>;
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...(operation as Pick<Operation, 'requestBody'>),
      name: `${method.toUpperCase()} ${path}`,
      parameters: ((operation['parameters'] ?? []) as Parameter[]).map(resolve),
      responses: Object.entries(operation['responses'] as unknown as Record<string, Response>).map(
        ([status, response]) => ({ ...resolve(response), status }),
      ),
    })),
  );
});

afterAll(() => app.close());

/** The schemas of the JSON bodies and responses of an operation, of lists those of their entries, of several forms each. */
function schemasOf({ requestBody, responses }: Operation): Schema[] {
  const contents = [requestBody?.content, ...successesOf(responses).map(({ content }) => content)];
  return contents
    .flatMap((content) => content?.['application/json'] ?? [])
    .flatMap(({ schema }) => schema.oneOf ?? [schema])
    .map(({ items, ...schema }) => items?.anyOf?.[0] ?? items ?? schema);
}

const successesOf = (responses: Operation['responses']): Operation['responses'] =>
  responses.filter(({ status }) => status.startsWith('2'));

it('describes the success of every operation with a sentence (@ApiSuccess says what the default does not)', () => {
  const undescribed = operations.flatMap(({ name, responses }) =>
    successesOf(responses)
      .filter(({ description }) => !/^[A-Z].*\.$/s.test(description))
      .map(({ status }) => `${name} ${status}`),
  );
  expect(undescribed).toEqual([]);
});

it('has an example of every body and every response (@ApiExample on the DTO completes it)', () => {
  const without = operations.flatMap((operation) =>
    schemasOf(operation)
      .filter((schema) => resolve(schema).example === undefined)
      .map((schema) => `${operation.name} ${schema.$ref}`),
  );
  expect(without).toEqual([]);
});

it('has an example of every JSON body that is not empty', () => {
  const empty = operations.filter(({ requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema;
    if (schema === undefined) return false;
    const { example } = resolve(schema.items ?? schema);
    return Object.keys(Object(example) as object).length === 0;
  });
  expect(empty.map(({ name }) => `${name}: add @ApiExample({ … }) to its DTO`)).toEqual([]);
});

it('has an example of every required field of a form, except files', () => {
  const without = operations.flatMap(({ name, requestBody }) => {
    const schema = requestBody?.content['multipart/form-data']?.schema;
    const { properties = {}, required = [] } = resolve(schema ?? {}) as Schema & { required?: string[] };
    return required
      .filter((field) => properties[field]?.format !== 'binary' && properties[field]?.example === undefined)
      .map((field) => `${name} ${field}: add @example`);
  });
  expect(without).toEqual([]);
});

it('has examples that fit their schemas', () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (formats.default as unknown as (ajv: Ajv) => void)(ajv);
  const { components } = JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    withoutNullable(value),
  ) as { components: { schemas: Record<string, object>; examples: Record<string, { value: unknown }> } };
  ajv.addSchema({ $id: 'openapi', components: { schemas: components.schemas } });
  const examples = [
    ...Object.entries(components.schemas).map(([name, schema]) => ({
      name,
      pointer: name,
      value: exampleIn(schema),
    })),
    ...Object.entries(components.schemas).flatMap(([name, schema]) =>
      Object.entries((schema as Schema).properties ?? {}).map(([field, property]) => ({
        name: `${name}.${field}`,
        pointer: `${name}/properties/${field}`,
        value: exampleIn(property),
      })),
    ),
    ...Object.entries(components.examples).map(([name, { value }]) => ({
      name,
      pointer: 'ErrorDto',
      value,
    })),
  ].filter(({ value }) => value !== undefined);
  const wrong = examples.flatMap(({ name, pointer, value }) => {
    const validate = ajv.compile({
      $ref: `openapi#/components/schemas/${pointer.replaceAll('"', '')}`,
    });
    return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors, { dataVar: 'example' })}`];
  });
  expect(examples.length).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});

it('prefills required parameters except ids, and no optional ones', () => {
  const wrong = operations.flatMap(({ name, parameters }) =>
    parameters.flatMap((parameter) => {
      const example = parameter.example ?? resolve(parameter.schema).example;
      const isId = parameter.in === 'path' || parameter.schema.format === 'uuid';
      if (!parameter.required && example !== undefined)
        return [`${name} ${parameter.name} is optional: its example would filter`];
      return parameter.required && !isId && example === undefined
        ? [`${name} ${parameter.name} is required: add @example`]
        : [];
    }),
  );
  expect(wrong).toEqual([]);
});

it('has an example of every documented error, with the code, status and title of its own', () => {
  const wrong = operations.flatMap(({ name, responses }) =>
    responses
      .filter(({ status, content }) => Number(status) >= 400 && content !== undefined)
      .flatMap(({ status, content, description }) => {
        const examples = Object.entries(content?.['application/json']?.examples ?? {});
        if (examples.length === 0 && !name.includes('/health/')) return [`${name} ${status} has no example`];
        return examples.flatMap(([code, example]) => {
          const { value } = resolve(example) as unknown as { value: Record<string, unknown> };
          const { message } = errorCatalogue[code as ErrorCode];
          const expected = {
            code,
            status: Number(status),
            title: STATUS_CODES[status],
            detail: message,
            message,
          };
          const fits = Object.entries(expected).every(([key, part]) => value[key] === part);
          const isNamed = examples.length === 1 || description.includes(`\`${code}\``);
          return fits && (isNamed || status === '429') ? [] : [`${name} ${status} ${code}`];
        });
      }),
  );
  expect(wrong).toEqual([]);
});

it('describes tokens as they are', () => {
  const { securitySchemes } = document['components'] as { securitySchemes: Record<string, object> };
  expect(securitySchemes['bearer']).toMatchObject({
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ca_… (API token) or ses_… (session)',
  });
  expect(securitySchemes['runner']).toMatchObject({ scheme: 'bearer', bearerFormat: 'slr_…' });
  expect(securitySchemes['job']).toMatchObject({ scheme: 'bearer', bearerFormat: 'slj_…' });
});

it('explains every tag with one sentence', () => {
  const tags = document['tags'] as { name: string; description: string }[];
  const wrong = tags.filter(({ description }) => !/^[A-Z][^.]*\.$/.test(description));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

it('is smaller than 3.5 kB for each operation and each type of event', () => {
  const operations = Object.values(document['paths'] as Record<string, object>).flatMap(Object.keys);
  const events = Object.keys(document['x-webhooks'] as object);
  const size = Buffer.byteLength(JSON.stringify(document));
  expect(size / (operations.length + events.length)).toBeLessThan(3500);
});

it('shares parameters and responses without a body', () => {
  const places = Object.values(document['paths'] as Record<string, Record<string, Record<string, object>>>)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => [
      ...Object.values((operation['parameters'] ?? []) as object[]),
      ...Object.values(operation['responses'] as object),
    ])
    .map((part) => JSON.stringify(part))
    .filter((part) => !part.startsWith('{"$ref"') && !part.includes('"content"') && part.length > 300);
  expect(places.filter((part, index) => places.indexOf(part) !== index)).toEqual([]);
});

/** The example of a schema, also where `withoutNullable` has wrapped it. */
function exampleIn(schema: object): unknown {
  const { example, anyOf } = schema as { example?: unknown; anyOf?: readonly { example?: unknown }[] };
  return example ?? anyOf?.[0]?.example;
}

/** OpenAPI 3.0 says `nullable`, JSON Schema says "or null". */
function withoutNullable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nullable' in value)) return value;
  const { nullable, ...schema } = value;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
