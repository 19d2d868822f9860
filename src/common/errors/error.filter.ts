import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../http/request-id.middleware.js';
import { hasUnreadBody, sendAndClose } from '../http/unread-body.js';
import { logQuietly } from '../logging/quiet-responses.js';
import { DatabaseBusyError } from './app-error.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { errorBody } from './error-body.js';
import { outageLog } from './outage-log.js';
import { StorageFailure } from './storage-failure.js';
import { toAppError } from './to-app-error.js';

/** 401, 429: the server reads little of what these callers send. */
const REFUSED_CALLERS: ReadonlySet<number> = new Set([401, 429]);

/** The only place that sends errors, all with the same body. Logs failures of the server, but never sends their cause. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.send(thrown, host);
  }

  /** Sends the JSON body of an error. */
  protected send(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const requestId = requestIdOf(request);
    const error = toAppError(thrown, request);
    // A client that disconnects during its request is not a failure of the server.
    const aborted = request.destroyed && !request.complete;
    if (thrown instanceof DatabaseUnavailableError) {
      outageLog.add(thrown);
      logQuietly(response);
    } else if (thrown instanceof StorageFailure) {
      // Logged where it has happened.
      logQuietly(response);
    } else if (error instanceof DatabaseBusyError) {
      this.logger.warn({ err: thrown, requestId }, 'Request has waited too long for the database');
    } else if (error === null && !aborted) this.logger.error({ err: thrown, requestId }, 'Request failed');
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const body = errorBody(error, requestId);
    response.status(body.status).set({ ...error?.headers, 'Cache-Control': 'no-store' });
    if (REFUSED_CALLERS.has(body.status) && hasUnreadBody(request))
      void sendAndClose(request, response, body);
    else response.json(body);
  }
}
