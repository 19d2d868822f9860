import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE } from './api-example.decorator.js';
import {
  hasContent,
  operationsOf,
  type Operation,
  type DocumentedResponse,
  type PlacedOperation,
} from './operations.js';
import { sampleOf, type Schema, kindOf } from './sample.js';
import { SUCCESS } from './api-success.decorator.js';

/**
 * Gives every schema of a body or a response an example of the whole object, also those of the entries of lists. Forms have
 * examples of their fields instead, which are filled in one by one.
 */
export function documentExamples(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  const examples = [...namesOfContents(document)].map(
    (name) => [name, sampleOf({ $ref: `#/components/schemas/${name}` }, name, schemas)] as const,
  );
  for (const [name, example] of examples) (schemas[name] as Schema).example = example;
  for (const schema of Object.values(schemas)) delete (schema as Schema)[EXAMPLE];
}

/** Names of the schemas of all bodies, responses and events, except those of forms. */
function namesOfContents(document: OpenAPIObject): Set<string> {
  const contents = operationsOf(document).flatMap(({ operation }) => [
    ...(hasContent(operation, 'multipart/form-data') ? [] : [operation.requestBody]),
    ...Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, response]) => response),
  ]);
  const events = (document as { 'x-webhooks'?: object })['x-webhooks'];
  const names = [...contents, events].flatMap((content) =>
    [...JSON.stringify(content ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name = '']) => name,
    ),
  );
  return new Set(names);
}

type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/**
 * Swagger UI fills in examples of parameters. Those of optional ones would filter everything away, so the description
 * names them instead. A required enumeration gets its first value.
 */
export function documentParameters(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (!('in' in parameter) || parameter.in === 'path' || parameter.schema === undefined) continue;
      if (parameter.required) fillIn(parameter, document);
      else describeExample(parameter);
    }
  }
}

function fillIn(parameter: Parameter, document: OpenAPIObject): void {
  const schema = parameter.schema as Schema | { $ref: string };
  const target = '$ref' in schema ? document.components?.schemas?.[schema.$ref.replace(/^.*\//, '')] : schema;
  const [first] = (target as Schema | undefined)?.enum ?? [];
  if (first !== undefined) parameter.example = first;
}

function describeExample(parameter: Parameter): void {
  const { example, ...schema } = parameter.schema as Schema;
  if (example === undefined) return;
  parameter.schema = schema;
  const sentence = `For example \`${String(example)}\`.`;
  parameter.description = [parameter.description, sentence].filter((part) => part).join(' ');
}

type ResponseSchema = NonNullable<NonNullable<DocumentedResponse['content']>[string]['schema']>;

/** Describes the successful responses: as `@ApiSuccess()` says, or by the method and the type of the response. */
export function documentSuccesses(document: OpenAPIObject): void {
  for (const placed of operationsOf(document)) {
    const operation = placed.operation as Operation & { [SUCCESS]?: string };
    const { [SUCCESS]: named } = operation;
    delete operation[SUCCESS];
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!status.startsWith('2') || response === undefined || '$ref' in response) continue;
      response.description = named ?? (response.description || describe(placed, status, response));
    }
  }
}

function describe({ method }: PlacedOperation, status: string, { content }: DocumentedResponse): string {
  const schema = Object.values(content ?? {})[0]?.schema;
  if (schema === undefined) return `${method === 'delete' ? 'Deleted' : 'Done'}. The response has no body.`;
  if ('format' in schema && schema.format === 'binary') return 'The bytes.';
  const noun = nounOf(schema);
  if ('type' in schema && schema.type === 'array') return `The ${noun.replace(/s?$/, 's')}.`;
  if (status === '201') return `The new ${noun}.`;
  return method === 'get' ? `The ${noun}.` : `The ${noun} after the change.`;
}

/** `RolloutPlanDto` becomes "rollout plan". */
function nounOf(schema: ResponseSchema): string {
  if ('$ref' in schema) {
    const kind = kindOf(schema.$ref.replace(/^.*\//, ''));
    return kind.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  }
  const [first = schema.items] = (schema.items as { anyOf?: ResponseSchema[] } | undefined)?.anyOf ?? [];
  return first === undefined ? 'content' : nounOf(first);
}
