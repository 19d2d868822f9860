import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { permissions } from './common/access/permissions.js';
import { describeError } from './common/errors/api-errors.decorator.js';
import { documentHeaders } from './common/openapi/document-headers.js';
import { operationId } from './common/openapi/operation-id.js';
import { documentRateLimits } from './rate-limits/document-rate-limits.js';

/** Describes the whole API. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Slipway')
    .setDescription(
      'Self-hosted backend for managing mobile apps: live updates, native builds and store submissions. ' +
        'Every error has one body, whose `message` is one sentence for people and whose `code` is a word for programs.',
    )
    .setVersion('1')
    .addServer('/', 'This server')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      description: 'An API token (`ca_…`) or the token of a session (`ses_…`).',
    })
    .addTag('Users', 'The person or machine behind a token.')
    .addTag('Tokens', 'API tokens: credentials of programs.')
    .addTag('Sessions', 'Signing in programs by a code, and what is signed in.')
    .addTag('Organizations', 'The tenants that own apps.')
    .addTag('Members', 'Who belongs to an organization, and in which role.')
    .addTag('Invitations', 'Offers to become a member: made, revoked, accepted and rejected.')
    .addTag('Teams', 'Which members see which apps.')
    .addTag('License keys', 'Access to packages that the operator offers.')
    .addTag('Audit log', 'Who changed what and when.')
    .addTag('Apps', 'Mobile apps.')
    .addTag('Builds', 'Builds of apps and what they produced.')
    .addTag('Channels', 'Named streams of deployments that devices follow.')
    .addTag('Bundles', 'Uploading and publishing live updates.')
    .addTag('Deployments', 'Builds that were sent to channels.')
    .addTag('Rollout plans', 'Raising the share of a deployment step by step.')
    .addTag('Devices', 'Devices that have asked for updates.')
    .addTag('Decisions', 'Which bundle a device gets and why, and what a change would do.')
    .addTag('Insights', 'Counts of devices and downloads, day by day.')
    .addTag('Devices: live updates', 'What devices themselves call, without a token.')
    .addTag('Health', 'Liveness and readiness.')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: operationId,
  });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      if (operation) complete(operation, path);
    }
    if (item.post) documentIdempotencyKey(item.post);
    if (item.patch) documentIdempotencyKey(item.patch);
  }
  documentRateLimits(document);
  documentHeaders(document);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Permission: { type: 'string', enum: [...permissions] } },
  };
  return document;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/**
 * The first sentence of a handler's comment is its summary; a handler that requires nothing says so; every body may be
 * too large or of a wrong content type; the parameters of the path come first, in their order.
 */
function complete(operation: Operation, path: string): void {
  const [, summary, rest] = /^(.+?)\.(?:\s+(.*))?$/s.exec(operation.description ?? '') ?? [];
  if (summary !== undefined) operation.summary = summary.replace(/\s+/g, ' ');
  if (rest === undefined) delete operation.description;
  else operation.description = rest;
  operation.security ??= [];
  if (operation.requestBody) {
    operation.responses['413'] ??= describeError(413);
    operation.responses['415'] ??= describeError(415);
  }
  const place = (parameter: unknown): number => {
    const { name, in: where } = parameter as { name: string; in: string };
    return where === 'path' ? path.indexOf(`{${name}}`) : path.length;
  };
  operation.parameters?.sort((a, b) => place(a) - place(b));
}

const keyInUse = {
  description: 'A request with the same `Idempotency-Key` is still being handled.',
  code: 'idempotency_key_in_use',
  message: 'A request with this Idempotency-Key is still being handled.',
};

/** Every POST and PATCH of a caller with a token may carry a key, except of files: see `WriteInterceptor`. */
function documentIdempotencyKey(operation: Operation): void {
  if (operation.security?.length === 0) return;
  const { requestBody, responses } = operation;
  if (requestBody && 'content' in requestBody && requestBody.content['multipart/form-data']) return;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes the request safe to repeat: for 24 hours it is carried out once and answered the same.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
  responses['409'] ??= describeError(409, keyInUse);
  responses['422'] ??= describeError(422);
  for (const [status, answer] of Object.entries(responses)) {
    if (!status.startsWith('2') || answer === undefined || '$ref' in answer) continue;
    answer.headers = {
      ...answer.headers,
      'Idempotency-Replayed': {
        description: '`true`: the answer to an earlier request, repeated. Nothing was done.',
        schema: { type: 'string', enum: ['true'] },
      },
    };
  }
}

/** Serves Swagger UI at `/docs` and the document at `/docs-json`, `/docs-yaml` and `/openapi`. */
export function serveDocs(app: INestApplication): void {
  let document: OpenAPIObject | undefined;
  // Made when it is asked for: it takes a good part of a start, and most processes never need it.
  const made = (): OpenAPIObject => (document ??= createDocument(app));
  SwaggerModule.setup('docs', app, made, {
    customSiteTitle: 'Slipway API',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tagsSorter: 'alpha' },
  });
  app.getHttpAdapter().get('/openapi', (_request: unknown, response: { json(body: unknown): void }) => {
    response.json(made());
  });
}
