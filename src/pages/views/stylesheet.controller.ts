import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { icon, iconPath, stylesheet, tokens } from './stylesheet.js';

const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/** Serves the stylesheets and the icon of the pages. */
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class StylesheetController {
  @Get('pages.css')
  @Public()
  @RateLimit('none')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', CACHE_FOREVER)
  getStylesheet(): string {
    return stylesheet;
  }

  @Get('tokens.css')
  @Public()
  @RateLimit('none')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', CACHE_FOREVER)
  getTokens(): string {
    return tokens;
  }

  @Get(iconPath)
  @Public()
  @RateLimit('none')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', CACHE_FOREVER)
  getIcon(): string {
    return icon;
  }
}
