import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { EventDefinition } from '../../events/event-definition.js';
import type { DocumentWithEvents } from './event-schemas.js';
import { EventEnvelopeDto } from './event-type.dto.js';

/** The classes whose schemas the document needs for events. */
export function modelsOfEvents(definitions: readonly EventDefinition[]): EventDefinition['data'][] {
  return [EventEnvelopeDto, ...new Set(definitions.map(({ data }) => data))];
}

/**
 * Describes what webhooks with the format `raw` send, under `x-webhooks`: OpenAPI 3.0 has no field for that,
 * and 3.1 calls it `webhooks`.
 */
export function documentEvents(document: OpenAPIObject, definitions: readonly EventDefinition[]): void {
  const entries = definitions.map((definition) => [definition.type, { post: describe(definition) }] as const);
  (document as DocumentWithEvents & OpenAPIObject)['x-webhooks'] = Object.fromEntries(entries);
}

function describe({ type, title, description, of, permission, severity = 'info', data }: EventDefinition) {
  return {
    operationId: type,
    summary: title,
    description,
    'x-of': of,
    'x-permission': permission,
    'x-severity': severity,
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            // Of webhooks only: what else it says is about the feed, too.
            required: ['event'],
            allOf: [
              {
                type: 'object',
                required: ['type', 'data'],
                properties: {
                  event: { type: 'string', enum: [type] },
                  type: { type: 'string', enum: [type] },
                  data: { $ref: getSchemaPath(data) },
                },
              },
              { $ref: getSchemaPath(EventEnvelopeDto) },
            ],
          },
        },
      },
    },
    responses: { '2XX': { description: 'The event has been delivered.' } },
  };
}
