import { type ArgumentsHost, Catch, NotFoundException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorFilter } from '../../common/errors/error.filter.js';
import { toAppError } from '../../common/errors/to-app-error.js';
import { html } from '../views/html.js';
import { layout } from '../views/layout.js';
import { START_PATH } from '../views/site-map.js';
import { pageHeaders } from './page-headers.middleware.js';

/** Shows browsers a page where there is none. Programs get the usual error, and so does everything in the API. */
@Catch(NotFoundException)
export class NotFoundPageFilter extends ErrorFilter {
  override catch(thrown: NotFoundException, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (!wantsPage(request) || response.headersSent) {
      this.send(thrown, host);
      return;
    }
    const error = toAppError(thrown, request);
    pageHeaders(request, response, () => {
      response
        .status(error?.status ?? 404)
        .set({ ...error?.headers, Vary: 'Accept' })
        .type('html')
        .send(layout(page, undefined, request.path).text);
    });
  }
}

const page = {
  title: 'Page not found',
  body: html`<h1>Page not found</h1>
    <p>There is no page at this address.</p>
    <p><a class="button main" href="${START_PATH}">Go to your apps</a></p>`,
};

/** Whether the client prefers HTML to JSON. Clients that accept everything, such as the SDKs, do not. */
function wantsPage(request: Request): boolean {
  return !/^\/v1(\/|$)/i.test(request.path) && request.accepts(['json', 'html']) === 'html';
}
