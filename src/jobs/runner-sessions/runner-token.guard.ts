import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { MachineTokenGuard } from '../../accounts/auth/machine-token.guard.js';
import { RateLimitsService } from '../../rate-limits/rate-limits.service.js';
import { isRunnerToken } from '../runners/runner-token.js';
import { type CallingRunner, RunnerSessionsQueries } from './runner-sessions.queries.js';

type RunnerRequest = Request & { runner?: CallingRunner };

/** Authenticates runners by their tokens. */
@Injectable()
export class RunnerTokenGuard extends MachineTokenGuard {
  constructor(
    limits: RateLimitsService,
    private readonly queries: RunnerSessionsQueries,
  ) {
    super('runner', limits);
  }

  protected override isToken(text: string): boolean {
    return isRunnerToken(text);
  }

  protected override async authenticate(token: string, request: RunnerRequest): Promise<string | null> {
    const runner = await this.queries.authenticate(token);
    if (runner === null) return null;
    request.runner = runner;
    return runner.id;
  }
}

/** The runner that sends the request; only in handlers with the guard. */
export const CurrentRunner = createParamDecorator((_: unknown, context: ExecutionContext): CallingRunner => {
  const { runner } = context.switchToHttp().getRequest<RunnerRequest>();
  if (runner === undefined) throw new Error('RunnerTokenGuard did not run.');
  return runner;
});
