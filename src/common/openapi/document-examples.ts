import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE } from './api-example.decorator.js';
import { hasContent, operationsOf } from './operations.js';
import { sampleOf, type Schema } from './sample.js';

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
