import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../http/request-id.middleware.js';
import { errorBody } from './error-body.js';
import { toAppError } from './to-app-error.js';

/** The only place that answers errors: one body for all of them. Failures of ours are logged, never shown. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const requestId = requestIdOf(request);
    const error = toAppError(thrown, request);
    // A client that went away in the middle of its request is no failure of ours.
    const aborted = request.destroyed && !request.complete;
    if (error === null && !aborted) this.logger.error({ err: thrown, requestId }, 'Request failed');
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const body = errorBody(error, requestId);
    response
      .status(body.status)
      .set({ ...error?.headers, 'Cache-Control': 'no-store' })
      .json(body);
  }
}
