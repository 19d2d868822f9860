import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type Permission, permissions } from '../common/access/permissions.js';
import { ErrorDto } from '../common/errors/error.dto.js';
import { apiTags } from '../common/openapi/api-tags.js';
import { documentErrors } from '../common/openapi/document-errors.js';
import {
  documentExamples,
  documentParameters,
  documentSuccesses,
} from '../common/openapi/document-operations.js';
import { documentHeaders } from '../common/openapi/document-headers.js';
import { operationId } from '../common/openapi/operation-id.js';
import { isRepeatable, type Operation, operationsOf } from '../common/openapi/operations.js';
import { shareErrors } from '../common/openapi/share-errors.js';
import { shareParts } from '../common/openapi/share-parts.js';
import { VERSION } from '../config/version.js';
import { EventCatalogue } from '../events/event-catalogue.js';
import { documentEvents, modelsOfEvents } from '../notifications/event-types/document-events.js';
import { documentRateLimits } from '../rate-limits/document-rate-limits.js';

/** Describes the whole API. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Slipway')
    .setDescription(
      'Self-hosted backend for managing mobile apps: live updates, native builds and store submissions. ' +
        'Every error has the same body: `message` is one sentence for people, `code` is a stable word for programs.',
    )
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This server')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'ca_… (API token) or ses_… (session)',
      description: 'An API token or the token of a session.',
    })
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'slr_…', description: 'The token of a runner.' },
      'runner',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'slj_…',
        description: 'The token of a job, which a runner gets with the job.',
      },
      'job',
    )
    .build();
  const events = app.get(EventCatalogue, { strict: false }).all;
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: operationId,
    extraModels: [ErrorDto, ...modelsOfEvents(events)],
  });
  document.tags = Object.entries(apiTags).map(([name, description]) => ({ name, description }));
  for (const placed of operationsOf(document)) {
    complete(placed.operation, placed.path);
    if (isRepeatable(placed)) documentIdempotencyKey(placed.operation);
  }
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Permission: { type: 'string', enum: [...permissions] } },
  };
  documentSuccesses(document);
  documentParameters(document);
  documentErrors(document);
  documentRateLimits(document);
  documentHeaders(document);
  documentEvents(document, events);
  documentExamples(document);
  shareErrors(document);
  shareParts(document);
  return document;
}

/**
 * The first sentence of a handler's comment is its summary; a handler with a permission names it; the parameters of the
 * path come first, in their order.
 */
function complete(operation: Operation, path: string): void {
  const [, summary, rest] = /^(.+?)\.(?:\s+(.*))?$/s.exec(operation.description ?? '') ?? [];
  if (summary !== undefined) operation.summary = summary.replace(/\s+/g, ' ');
  const permission = (operation as { 'x-permission'?: Permission })['x-permission'];
  const requirement = permission && `Requires the permission \`${permission}\`.`;
  const description = [rest, requirement].filter((part) => part !== undefined).join('\n\n');
  if (description === '') delete operation.description;
  else operation.description = description;
  operation.security ??= [];
  const position = (parameter: unknown): number => {
    const { name, in: location } = parameter as { name: string; in: string };
    return location === 'path' ? path.indexOf(`{${name}}`) : path.length;
  };
  operation.parameters?.sort((a, b) => position(a) - position(b));
}

/** Documents the header `Idempotency-Key`: see `WriteInterceptor`. */
function documentIdempotencyKey(operation: Operation): void {
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes the request safe to repeat: within 24 hours, requests with the same key are executed once and get the same response.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2') || response === undefined || '$ref' in response) continue;
    response.headers = {
      ...response.headers,
      'Idempotency-Replayed': {
        description: '`true`: this repeats the response to an earlier request. Nothing was done.',
        schema: { type: 'string', enum: ['true'] },
      },
    };
  }
}
