import type { OpenAPIObject } from '@nestjs/swagger';
import { NO_STORE } from '../http/no-store.decorator.js';

type Path = OpenAPIObject['paths'][string];
type Operation = NonNullable<Path['get']>;
type Answer = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Headers = NonNullable<Answer['headers']>;
type HeaderName = keyof typeof headers;

const text = { type: 'string' as const };

/** Headers that do not depend on the handler. */
const headers = {
  'X-Request-Id': {
    description: 'Names the request in the log: the one that was sent, or a new UUID.',
    required: true,
    schema: text,
  },
  'WWW-Authenticate': {
    description: 'The scheme to use, and what is wrong with a token that was sent (RFC 6750).',
    required: true,
    schema: text,
  },
  ETag: {
    description: 'Changes whenever the answer does; to be sent as `If-None-Match` or `If-Match`.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description: 'The answer must not be kept.',
    required: true,
    schema: { ...text, enum: ['no-store'] },
  },
};

/**
 * Documents the headers that middleware, interceptors and the error filter set: `X-Request-Id` in every answer,
 * `WWW-Authenticate` in every 401, and the `ETag` of what GET answers, with the 304 and the `If-None-Match` that go
 * with it.
 */
export function documentHeaders(document: OpenAPIObject): void {
  document.components = {
    ...document.components,
    headers: { ...document.components?.headers, ...headers },
  };
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.get, path.post, path.put, path.patch, path.delete]) {
      if (operation) documentOperation(operation, operation === path.get);
    }
  }
}

function documentOperation(operation: Operation, reads: boolean): void {
  const extended = operation as Operation & { [NO_STORE]?: true };
  const ok = responseOf(operation, '200');
  if (extended[NO_STORE]) {
    const answer = ok ?? responseOf(operation, '201');
    if (answer) answer.headers = { ...answer.headers, ...refer('Cache-Control') };
    delete extended[NO_STORE];
  } else if (reads && ok) documentETag(operation, ok);
  for (const status of Object.keys(operation.responses)) {
    const answer = responseOf(operation, status);
    if (answer === undefined) continue;
    answer.headers = {
      ...answer.headers,
      ...refer('X-Request-Id'),
      ...(status === '401' ? refer('WWW-Authenticate') : {}),
    };
  }
}

/** Every GET that answers JSON to a caller with a token, and every download, has an `ETag`: see `ETagInterceptor`. */
function documentETag(operation: Operation, ok: Answer): void {
  const isJson = ok.content?.['application/json'] !== undefined;
  if (isJson && operation.security?.length === 0) return;
  // Without a token, such an answer is not tagged.
  const isTagged = !isJson || !operation.security?.some((way) => Object.keys(way).length === 0);
  const etag: Headers = isTagged ? refer('ETag') : { ETag: { ...headers.ETag, required: false } };
  ok.headers = { ...ok.headers, ...etag };
  operation.responses['304'] = {
    description: 'The caller has it: `If-None-Match` names its ETag.',
    headers: refer('ETag'),
  };
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` of an answer that the caller has: if it is still the same, the answer is 304.',
      schema: text,
    },
  ];
}

function responseOf(operation: Operation, status: string): Answer | undefined {
  const answer = operation.responses[status];
  return answer === undefined || '$ref' in answer ? undefined : answer;
}

function refer(name: HeaderName): Headers {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}
