import type { OpenAPIObject } from '@nestjs/swagger';
import { AUTHENTICATED_BY_EXTENSION } from '../access/authenticated-by.decorator.js';
import { IGNORED_FIELDS, IGNORED_PARAMETERS } from '../validation/ignored-input.interceptor.js';
import { NO_STORE } from '../http/no-store.decorator.js';
import { type DocumentedResponse, type Operation, operationsOf } from './operations.js';

type Headers = NonNullable<DocumentedResponse['headers']>;
type HeaderName = keyof typeof headers;

const text = { type: 'string' as const };

/** Headers that do not depend on the handler. */
const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the log: the id that the request contains, or a new UUID.',
    required: true,
    schema: text,
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme, and why the token of the request is not valid (RFC 6750).',
    required: true,
    schema: text,
  },
  ETag: {
    description: 'Changes whenever the content does. Send it as `If-None-Match` or `If-Match`.',
    required: true,
    schema: text,
  },
  [IGNORED_PARAMETERS]: {
    description:
      'Names of the query parameters that were ignored because the operation has none with that name, percent-encoded and separated by commas.',
    schema: text,
    example: 'chanel, sort',
  },
  [IGNORED_FIELDS]: {
    description:
      'Names of the fields of the body that were ignored because the operation has none with that name, percent-encoded and separated by commas.',
    schema: text,
    example: 'chanel',
  },
  'Cache-Control': {
    description: 'The response must not be stored.',
    required: true,
    schema: { ...text, enum: ['no-store'] },
  },
};

/**
 * Documents the headers that middleware, interceptors and the error filter set: `X-Request-Id` in every response,
 * `WWW-Authenticate` in every 401, and the `ETag` of GET with its 304 and `If-None-Match`.
 */
export function documentHeaders(document: OpenAPIObject): void {
  document.components = {
    ...document.components,
    headers: { ...document.components?.headers, ...headers },
  };
  for (const { method, operation } of operationsOf(document)) documentOperation(operation, method === 'get');
}

function documentOperation(operation: Operation, reads: boolean): void {
  const extended = operation as Operation & { [NO_STORE]?: 'tagged' | 'untagged' };
  const ok = responseOf(operation, '200');
  const storing = extended[NO_STORE];
  delete extended[NO_STORE];
  if (storing !== undefined) {
    const response = ok ?? responseOf(operation, '201');
    if (response) response.headers = { ...response.headers, ...refer('Cache-Control') };
  }
  if (storing !== 'untagged' && reads && ok && !(AUTHENTICATED_BY_EXTENSION in operation)) {
    documentETag(operation, ok);
  }
  for (const status of Object.keys(operation.responses)) {
    const response = responseOf(operation, status);
    if (response === undefined) continue;
    response.headers = {
      ...response.headers,
      ...refer('X-Request-Id'),
      ...(status === '401' ? refer('WWW-Authenticate') : {}),
      ...(status.startsWith('2') && hasQuery(operation) ? refer(IGNORED_PARAMETERS) : {}),
      ...(status.startsWith('2') && operation.requestBody ? refer(IGNORED_FIELDS) : {}),
    };
  }
}

/** Every GET with JSON for a caller with a token, and every download, has an `ETag`: see `ETagInterceptor`. */
function documentETag(operation: Operation, ok: DocumentedResponse): void {
  const isJson = ok.content?.['application/json'] !== undefined;
  if (isJson && operation.security?.length === 0) return;
  // Without a token, the response has no tag.
  const isTagged = !isJson || !operation.security?.some((way) => Object.keys(way).length === 0);
  const etag: Headers = isTagged ? refer('ETag') : { ETag: { ...headers.ETag, required: false } };
  ok.headers = { ...ok.headers, ...etag };
  operation.responses['304'] = {
    description: 'Not changed: the `ETag` is one of `If-None-Match`.',
    headers: refer('ETag'),
  };
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` of an earlier response. If it is still the same, the response is 304.',
      schema: text,
    },
  ];
}

function hasQuery({ parameters = [] }: Operation): boolean {
  return parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');
}

function responseOf(operation: Operation, status: string): DocumentedResponse | undefined {
  const response = operation.responses[status];
  return response === undefined || '$ref' in response ? undefined : response;
}

function refer(name: HeaderName): Headers {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}
