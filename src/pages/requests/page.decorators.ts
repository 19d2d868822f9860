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
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiConsumes, ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Public } from '../../common/access/requires.decorator.js';
import { layout } from '../views/layout.js';
import type { Page, PageRequest, Redirection } from '../views/page.js';
import { PageErrorFilter } from './page-error.filter.js';
import { PageGuard } from './page.guard.js';

/** Turns what a handler returns into HTML or a redirection. */
@Injectable()
class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Page | Redirection>): Observable<string> {
    const request = context.switchToHttp().getRequest<PageRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((result) => {
        if ('redirectTo' in result) {
          response.status(303).location(result.redirectTo);
          return '';
        }
        response.status(result.status ?? 200).set({ ...result.headers });
        return layout(result, request.visit, request.path).text;
      }),
    );
  }
}

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
