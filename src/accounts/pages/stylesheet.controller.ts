import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/requires.decorator.js';
import { stylesheet } from './stylesheet.js';

/** Serves the stylesheet of the pages. */
@ApiExcludeController()
@Controller({ path: 'pages.css', version: VERSION_NEUTRAL })
export class StylesheetController {
  @Get()
  @Public()
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  @Header('X-Content-Type-Options', 'nosniff')
  get(): string {
    return stylesheet;
  }
}
