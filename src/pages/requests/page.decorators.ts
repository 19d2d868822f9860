import {
  applyDecorators,
  Controller,
  Get,
  HttpCode,
  Post,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiConsumes, ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/requires.decorator.js';
import { PageErrorFilter } from './page-error.filter.js';
import { PageGuard } from './page.guard.js';
import { PageInterceptor } from './page.interceptor.js';

/** Marks controllers of pages, so that `PagesModule` finds them. */
export const PAGE_CONTROLLER = 'slipway:page-controller';

/** A controller of pages for people: outside of `/v1` and of the OpenAPI document. */
export function PageController(path: string): ClassDecorator {
  return applyDecorators(LinkPageController(path), UseGuards(PageGuard));
}

/**
 * As `PageController`, for pages that need no cookie: the token in their address is all that counts, for forms, too. They do
 * not know whether their visitor has signed in.
 */
export function LinkPageController(path: string): ClassDecorator {
  return applyDecorators(
    Controller({ path, version: VERSION_NEUTRAL }),
    SetMetadata(PAGE_CONTROLLER, true),
    ApiExcludeController(),
    UseInterceptors(PageInterceptor),
    UseFilters(PageErrorFilter),
  );
}

/** Shows a page. Pages know their visitors by a cookie and need no bearer token. */
export function GetPage(path?: string): MethodDecorator {
  return applyDecorators(Get(path), Public());
}

/** Takes a form that a page sends. */
export function PostForm(path?: string): MethodDecorator {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    ApiConsumes('application/x-www-form-urlencoded'),
    Public(),
  );
}
