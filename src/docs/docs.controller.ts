import { Controller, Get, Header, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../common/access/requires.decorator.js';
import { docsPage, docsScript } from './docs-page.js';
import { type DocsFile, DocsService } from './docs.service.js';

/** Serves the description of the API: Swagger UI at `/docs`, and the OpenAPI document. */
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class DocsController {
  constructor(private readonly docs: DocsService) {}

  @Get('docs')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  getPage(): string {
    return docsPage;
  }

  @Get('docs/start.js')
  @Public()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  getScript(): string {
    return docsScript;
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
