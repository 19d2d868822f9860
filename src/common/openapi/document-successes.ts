import type { OpenAPIObject } from '@nestjs/swagger';
import { SUCCESS } from './api-success.decorator.js';
import { type DocumentedResponse, type Operation, operationsOf, type PlacedOperation } from './operations.js';
import { kindOf } from './sample.js';

type Schema = NonNullable<NonNullable<DocumentedResponse['content']>[string]['schema']>;

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
function nounOf(schema: Schema): string {
  if ('$ref' in schema) {
    const kind = kindOf(schema.$ref.replace(/^.*\//, ''));
    return kind.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  }
  const [first = schema.items] = (schema.items as { anyOf?: Schema[] } | undefined)?.anyOf ?? [];
  return first === undefined ? 'content' : nounOf(first);
}
