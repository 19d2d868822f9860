import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { MachineTokenGuard } from '../../accounts/auth/machine-token.guard.js';
import { RateLimitsService } from '../../rate-limits/rate-limits.service.js';
import { ACCEPTS_LOST_LEASE, type LeaseRequest } from './current-lease.decorator.js';
import { JobLeasesService } from './job-leases.service.js';
import { JOB_STATUS_HEADER } from '../job-leases/lease-lost.error.js';
import { LeaseTokens } from '../job-leases/lease-token.js';

/** The guard of routes that are `@AuthenticatedBy('job')`. A genuine token whose lease is gone is a 410. */
@Injectable()
export class JobTokenGuard extends MachineTokenGuard {
  constructor(
    limits: RateLimitsService,
    private readonly reflector: Reflector,
    private readonly tokens: LeaseTokens,
    private readonly leases: JobLeasesService,
  ) {
    super('job', limits);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    const { lease, leaseToken } = context.switchToHttp().getRequest<LeaseRequest>();
    if (lease !== undefined || leaseToken === undefined) return true;
    if (this.reflector.get<boolean>(ACCEPTS_LOST_LEASE, context.getHandler())) return true;
    throw await this.leases.lost(leaseToken.jobId);
  }

  protected override isToken(text: string): boolean {
    return this.tokens.read(text) !== null;
  }

  protected override async authenticate(
    token: string,
    request: LeaseRequest,
    response: Response,
  ): Promise<string | null> {
    const content = this.tokens.read(token);
    if (content === null) return null;
    const lease = await this.leases.find(content.leaseId, token);
    // After a change of the key, a token is known by its hash alone.
    if (lease === null && !content.isGenuine) return null;
    request.leaseToken = content;
    if (lease !== null) {
      request.lease = lease;
      request.tenantId = lease.organizationId;
      response.setHeader(JOB_STATUS_HEADER, 'running');
    }
    return content.jobId;
  }
}
