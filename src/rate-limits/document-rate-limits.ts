import type { OpenAPIObject } from '@nestjs/swagger';
import {
  AUTHENTICATED_BY_EXTENSION,
  type MachineToken,
} from '../common/access/authenticated-by.decorator.js';
import type { RateLimitedBy } from '../common/access/rate-limit.decorator.js';
import { type DocumentedResponse, type Operation, operationsOf } from '../common/openapi/operations.js';

interface Extensions {
  readonly 'x-rate-limit'?: RateLimitedBy;
  readonly [AUTHENTICATED_BY_EXTENSION]?: MachineToken;
}

type Responses = Record<string, DocumentedResponse>;

const reference = (name: string): { $ref: string } => ({ $ref: `#/components/headers/${name}` });
const counted = { 'RateLimit-Policy': reference('RateLimit-Policy'), RateLimit: reference('RateLimit') };

/** The headers of all operations. */
const headers = {
  'RateLimit-Policy': {
    description:
      'The name of the limit, and the number of requests (`q`) that it allows in a window of `w` seconds.',
    schema: { type: 'string', example: '"token";q=6000;w=60' },
  },
  RateLimit: {
    description:
      'The number of requests that remain (`r`) in the next `t` seconds. Absent if the request was not counted.',
    schema: { type: 'string', example: '"token";r=5990;t=30' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
} as const;

/** How the requests of an operation are counted: the name of its 429, and its description. */
const kinds: Readonly<
  Record<RateLimitedBy | MachineToken | 'caller', { name: string; description: string }>
> = {
  caller: {
    name: 'RateLimited',
    description: 'Too many requests with this token, or without a valid one from this address.',
  },
  none: {
    name: 'RateLimitedWithoutToken',
    description:
      'Too many requests without a valid token from this address. Other requests are not limited here.',
  },
  devices: {
    name: 'RateLimitedWithToken',
    description:
      'Too many requests with this token, or with invalid ones from this address. Devices are not limited.',
  },
  'sign-in': {
    name: 'RateLimitedSignIn',
    description: 'Too many sign-in attempts from this address.',
  },
  'sign-in-polling': {
    name: 'RateLimitedSignInPolling',
    description: 'Too many requests about sign-ins from this address: poll every three seconds.',
  },
  runner: {
    name: 'RateLimitedRunner',
    description: 'Too many requests of this runner, or without a valid token from this address.',
  },
  job: {
    name: 'RateLimitedJob',
    description: 'Too many requests about this job, or without a valid token from this address.',
  },
};

/** Describes the 429 and the headers of rate limits of every operation of the API. */
export function documentRateLimits(document: OpenAPIObject): void {
  const shared: Responses = {};
  for (const { path, operation } of operationsOf(document)) {
    if (path.startsWith('/v1/')) documentOperation(operation, shared);
  }
  document.components = {
    ...document.components,
    headers: { ...document.components?.headers, ...headers },
    responses: { ...document.components?.responses, ...shared },
  };
}

function documentOperation(operation: Operation, shared: Responses): void {
  const { 'x-rate-limit': limit, [AUTHENTICATED_BY_EXTENSION]: machine } = operation as Extensions;
  const by = machine ?? limit;
  const { name, description } = kinds[by ?? 'caller'];
  const { responses } = operation;
  shared[name] = {
    ...(responses['429'] as DocumentedResponse),
    description,
    headers: {
      ...counted,
      'Retry-After': reference('Retry-After'),
      'X-Request-Id': reference('X-Request-Id'),
    },
  };
  responses['429'] = { $ref: `#/components/responses/${name}` };
  if (by === 'none') return;
  for (const [status, response] of Object.entries(responses)) {
    if (response === undefined || '$ref' in response || !/^[23]/.test(status)) continue;
    response.headers = { ...response.headers, ...counted };
  }
}
