import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeError } from './common/errors/api-errors.decorator.js';

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
    .addTag('Apps', 'Mobile apps.')
    .addTag('Builds', 'Builds of apps and what they produced.')
    .addTag('Channels', 'Named streams of deployments that devices follow.')
    .addTag('Bundles', 'Uploading and publishing live updates.')
    .addTag('Deployments', 'Builds that were sent to channels.')
    .addTag('Devices', 'Devices that have asked for updates.')
    .addTag('Devices: live updates', 'What devices themselves call, without a token.')
    .addTag('Health', 'Liveness and readiness.')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      if (operation) complete(operation, path);
    }
    if (item.get) documentETag(item.get);
  }
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

/** Every GET that answers JSON to a caller with a token has an `ETag`: see `ETagInterceptor`. */
function documentETag(operation: Operation): void {
  const answer = operation.responses['200'];
  if (operation.security?.length === 0 || answer === undefined || '$ref' in answer) return;
  if (answer.content?.['application/json'] === undefined) return;
  const headers = {
    ETag: { description: 'Changes whenever the answer does.', schema: { type: 'string' as const } },
  };
  answer.headers = { ...answer.headers, ...headers };
  operation.responses['304'] ??= {
    description: 'The caller has it: `If-None-Match` names its ETag.',
    headers,
  };
}

/** Serves Swagger UI at `/docs` and the document at `/docs-json`, `/docs-yaml` and `/openapi`. */
export function serveDocs(app: INestApplication): void {
  const document = createDocument(app);
  SwaggerModule.setup('docs', app, document, {
    customSiteTitle: 'Slipway API',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tagsSorter: 'alpha' },
  });
  app.getHttpAdapter().get('/openapi', (_request: unknown, response: { json(body: unknown): void }) => {
    response.json(document);
  });
}
