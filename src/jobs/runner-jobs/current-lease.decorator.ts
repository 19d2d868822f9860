import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { TenantRequest } from '../../common/access/tenant-request.js';
import type { LeaseTokenContent } from '../job-leases/lease-token.js';
import type { Lease } from '../job-leases/lease.js';

export const ACCEPTS_LOST_LEASE = 'slipway:accepts-lost-lease';

/** A request that the guard of job tokens has let through. */
export interface LeaseRequest extends TenantRequest {
  lease?: Lease;
  leaseToken?: LeaseTokenContent;
}

/** The handler also gets requests of runners that have lost their lease: to answer a repeated request again. */
export function AcceptsLostLease(): MethodDecorator {
  return SetMetadata(ACCEPTS_LOST_LEASE, true);
}

/** The lease of the token; `undefined` only in handlers that accept a lost one. */
export const CurrentLease = createParamDecorator(
  (_: unknown, context: ExecutionContext): Lease | undefined => {
    return context.switchToHttp().getRequest<LeaseRequest>().lease;
  },
);

/** What the genuine token of the request says. */
export const CurrentLeaseToken = createParamDecorator(
  (_: unknown, context: ExecutionContext): LeaseTokenContent => {
    const token = context.switchToHttp().getRequest<LeaseRequest>().leaseToken;
    if (token === undefined) throw new Error('This route has no guard of job tokens.');
    return token;
  },
);
