import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { MachineToken } from '../../common/access/authenticated-by.decorator.js';
import { UnauthenticatedError } from '../../common/errors/app-error.js';
import type { RateLimitsService } from '../../rate-limits/rate-limits.service.js';
import { RecentTokens } from './recent-tokens.js';

/** RFC 6750: the scheme is not case-sensitive. */
const BEARER = /^Bearer +(\S+) *$/i;

/**
 * The guard of handlers that are `@AuthenticatedBy(…)`: it finds who sends the token, and counts the request. Refused
 * requests count against their address, as `BearerGuard` counts them.
 */
export abstract class MachineTokenGuard implements CanActivate {
  private readonly recent = new RecentTokens();

  constructor(
    private readonly kind: MachineToken,
    private readonly limits: RateLimitsService,
  ) {}

  /** Whether the text has the form of such a token. */
  protected abstract isToken(text: string): boolean;

  /**
   * Finds what the token identifies, and puts it on the request.
   *
   * @param token of which `isToken` is true
   * @returns the id that requests are counted by; `null`: the token is not valid
   */
  protected abstract authenticate(
    token: string,
    request: Request,
    response: Response,
  ): Promise<string | null>;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    if (authorization === undefined || token === undefined || !this.isToken(token)) {
      throw this.refused(request, response);
    }
    if (!this.recent.has(authorization)) this.limits.countLookup(request);
    const id = await this.authenticate(token, request, response);
    if (id === null) throw this.refused(request, response);
    this.recent.add(authorization);
    this.limits.countMachine(this.kind, id, response);
    return true;
  }

  /** @throws RateLimitedError when the address has sent too many of these */
  private refused(request: Request, response: Response): UnauthenticatedError {
    this.limits.countAddress('address', request, response);
    const sent = request.headers.authorization !== undefined;
    return new UnauthenticatedError(sent ? 'The token is not valid.' : 'Not authenticated.', sent);
  }
}
