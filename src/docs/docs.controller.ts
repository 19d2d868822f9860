import { Controller, Get, Header, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../common/access/requires.decorator.js';
import { PageErrorFilter } from '../pages/requests/page-error.filter.js';
import { PageGuard } from '../pages/requests/page.guard.js';
import { CurrentVisit, Visit } from '../pages/views/page.js';
import { DOCS_PATH } from '../pages/views/site-map.js';
import { docsPage, docsScript, docsStylesheet } from './docs-page.js';
import { type DocsFile, DocsService } from './docs.service.js';

/** Serves the description of the API: Swagger UI at `/docs`, and the OpenAPI document. */
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class DocsController {
  constructor(private readonly docs: DocsService) {}

  @Get(DOCS_PATH)
  @Public()
  @UseGuards(PageGuard)
  @UseFilters(PageErrorFilter)
  @Header('Content-Type', 'text/html; charset=utf-8')
  getPage(@CurrentVisit() visit: Visit): string {
    return docsPage(visit);
  }

  @Get('docs/start.js')
  @Public()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  getScript(): string {
    return docsScript;
  }

  @Get('docs/page.css')
  @Public()
  @Header('Content-Type', 'text/css; charset=utf-8')
  getPageStylesheet(): string {
    return docsStylesheet;
  }

  @Get('docs/swagger-ui.css')
  @Public()
  getStylesheet(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send('swagger-ui.css', 'text/css', request, response);
  }

  @Get('docs/swagger-ui-bundle.js')
  @Public()
  getSwaggerUi(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send('swagger-ui-bundle.js', 'text/javascript', request, response);
  }

  @Get(['openapi', 'docs-json'])
  @Public()
  getJson(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send('openapi.json', 'application/json', request, response);
  }

  @Get('docs-yaml')
  @Public()
  getYaml(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send('openapi.yaml', 'text/yaml', request, response);
  }

  private async send(name: DocsFile, type: string, request: Request, response: Response): Promise<void> {
    const { etag, bodies } = await this.docs.get(name);
    response.set({
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-cache',
      ETag: etag,
      Vary: 'Accept-Encoding',
    });
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const encoding =
      (['br', 'gzip'] as const).find((each) => request.acceptsEncodings([each, 'identity']) === each) ??
      'identity';
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(bodies[encoding]);
  }
}
