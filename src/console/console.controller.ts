import {
  Controller,
  Get,
  Header,
  NotFoundException,
  Param,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RateLimit } from '../common/access/rate-limit.decorator.js';
import { Public } from '../common/access/requires.decorator.js';
import { PageErrorFilter } from '../pages/requests/page-error.filter.js';
import { PageGuard } from '../pages/requests/page.guard.js';
import { nonceOf } from '../pages/requests/page-headers.middleware.js';
import { html } from '../pages/views/html.js';
import { layout } from '../pages/views/layout.js';
import { CurrentVisit, isSignedIn, Visit } from '../pages/views/page.js';
import { ConsoleFiles } from './console-files.js';
import { unbuiltPage } from './unbuilt.views.js';

/**
 * The console for people: one page at all of its addresses, whose script asks the API. Visitors who have not signed in get
 * it, too, because only a script can bring the fragment of the address through the sign-in.
 */
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get(['', 'apps/*path', 'organizations/*path'])
  @Public()
  @UseGuards(PageGuard)
  @UseFilters(PageErrorFilter)
  @Header('Content-Type', 'text/html; charset=utf-8')
  show(
    @CurrentVisit() visit: Visit,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): string {
    const page = this.files.page({
      nonce: nonceOf(response),
      csrf: isSignedIn(visit) ? visit.csrf : '',
      userId: isSignedIn(visit) ? visit.userId : '',
      visitor: isSignedIn(visit)
        ? html`Signed in as ${visit.email}.`
        : html`<a href="/login?next=${encodeURIComponent(request.originalUrl)}">Sign in</a>`,
    });
    return page ?? layout(unbuiltPage(visit, request.originalUrl), visit, request.path).text;
  }

  /** What browsers get is partly by others, who ask for their names and licences to be passed on with it. */
  @Get('console/licenses.md')
  @Public()
  @RateLimit('none')
  sendLicenses(@Res() response: Response): void {
    if (this.files.licenses === null) throw new NotFoundException();
    response.set({ 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
    response.sendFile(this.files.licenses);
  }

  /** The address of a file changes with its content. */
  @Get('console/files/:name')
  @Public()
  @RateLimit('none')
  send(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    const file = this.files.find(
      name,
      (encoding) => request.acceptsEncodings([encoding, 'identity']) === encoding,
    );
    if (file === null) throw new NotFoundException();
    response.set({
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(file.encoding === null ? {} : { 'Content-Encoding': file.encoding }),
    });
    response.sendFile(file.path);
  }
}
