import type { OpenAPIObject } from '@nestjs/swagger';
import type { RateLimitedBy } from '../common/access/rate-limit.decorator.js';
import { describeError } from '../common/errors/api-errors.decorator.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const reference = (name: string): { $ref: string } => ({ $ref: `#/components/headers/${name}` });
const counted = { 'RateLimit-Policy': reference('RateLimit-Policy'), RateLimit: reference('RateLimit') };

/** The headers of all operations. */
const headers = {
  'RateLimit-Policy': {
    description: 'What is counted: its name, the calls that are admitted (`q`) in a window of `w` seconds.',
    schema: { type: 'string', example: '"token";q=6000;w=60' },
  },
  RateLimit: {
    description: 'The calls that are left (`r`) for `t` more seconds. Absent when the call was not counted.',
    schema: { type: 'string', example: '"token";r=5990;t=30' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
} as const;

const meanings: Readonly<Record<RateLimitedBy | 'caller', string>> = {
  caller: 'Too many calls with this token, or without a valid one from this address.',
  none: 'Too many calls without a valid token from this address. Others are not limited here.',
  devices: 'Too many calls with this token, or with invalid ones from this address. Devices are not limited.',
  'sign-in': 'Too many attempts to sign in from this address.',
  'sign-in-polling': 'Too many questions about sign-ins from this address: ask every three seconds.',
};

/** Describes the 429 and the header fields of every operation of the API. */
export function documentRateLimits(document: OpenAPIObject): void {
  document.components = { ...document.components, headers: { ...document.components?.headers, ...headers } };
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/v1/')) continue;
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      if (operation) documentOperation(operation);
    }
  }
}

function documentOperation(operation: Operation): void {
  const by = (operation as { 'x-rate-limit'?: RateLimitedBy })['x-rate-limit'];
  operation.responses['429'] = {
    ...describeError(429),
    description: meanings[by ?? 'caller'],
    headers: { ...counted, 'Retry-After': reference('Retry-After') },
  };
  if (by === 'none') return;
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (answer === undefined || '$ref' in answer || !/^[23]/.test(status)) continue;
    answer.headers = { ...answer.headers, ...counted };
  }
}
