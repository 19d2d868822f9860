import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { layout } from '../views/layout.js';
import type { Page, PageRequest, Redirection } from '../views/page.js';

/** Turns what a handler returns into HTML or a redirection. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
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
