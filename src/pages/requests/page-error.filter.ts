import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { DatabaseBusyError } from '../../common/errors/app-error.js';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { outageLog } from '../../common/errors/outage-log.js';
import { toAppError } from '../../common/errors/to-app-error.js';
import { logQuietly } from '../../common/logging/quiet-responses.js';
import { requestIdOf } from '../../common/http/request-id.middleware.js';
import { html } from '../views/html.js';
import { confirmPath, START_PATH } from '../views/site-map.js';
import { layout } from '../views/layout.js';
import type { PageRequest } from '../views/page.js';
import { ConfirmationRequired, SignInRequired } from './page-errors.js';

/** Shows errors as pages. Errors of the server are logged, and the page does not show their cause. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(PageErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<PageRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (thrown instanceof SignInRequired) {
      response.redirect(303, `/login?next=${encodeURIComponent(thrown.next)}`);
      return;
    }
    if (thrown instanceof ConfirmationRequired) {
      response.redirect(303, confirmPath(thrown.next));
      return;
    }
    const error = toAppError(thrown, request);
    if (thrown instanceof DatabaseUnavailableError) {
      outageLog.add(thrown);
      logQuietly(response);
    } else if (error instanceof DatabaseBusyError) {
      this.logger.warn(
        { err: thrown, requestId: requestIdOf(request) },
        'Request has waited too long for the database',
      );
    } else if (error === null) {
      this.logger.error({ err: thrown, requestId: requestIdOf(request) }, 'Request failed');
    }
    const title = error === null ? 'Something went wrong' : 'This did not work';
    const message = error?.message ?? 'This is our fault. Please try again.';
    const body = html`<h1>${title}</h1>
      <p>${message}</p>
      <p class="muted">Request ${requestIdOf(request)}</p>
      <p><a href="${START_PATH}">Go to your apps</a></p>`;
    response
      .status(error?.status ?? 500)
      .set({ ...error?.headers })
      .type('html')
      .send(layout({ title, body }, request.visit, request.path).text);
  }
}
