import {
  applyDecorators,
  Controller,
  Get,
  HttpCode,
  Post,
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

export const FORM = 'application/x-www-form-urlencoded';

/** A controller of pages for people: outside of `/v1` and of the OpenAPI document. */
export function PageController(path: string): ClassDecorator {
  return applyDecorators(
    Controller({ path, version: VERSION_NEUTRAL }),
    ApiExcludeController(),
    UseGuards(PageGuard),
    UseInterceptors(PageInterceptor),
    UseFilters(PageErrorFilter),
  );
}

/** A page. Bearer tokens are no matter here: pages know visitors by their cookie. */
export function GetPage(path?: string): MethodDecorator {
  return applyDecorators(Get(path), Public());
}

/** A form that was sent. */
export function PostForm(path?: string): MethodDecorator {
  return applyDecorators(Post(path), HttpCode(200), ApiConsumes(FORM), Public());
}
