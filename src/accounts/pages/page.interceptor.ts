import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { layout } from './layout.js';
import type { Page, PageRequest, Redirection } from './page.js';

/** Turns what a handler returns into HTML or a redirection. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Page | Redirection>): Observable<string> {
    const request = context.switchToHttp().getRequest<PageRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((answer) => {
        if ('redirectTo' in answer) {
          response.status(303).location(answer.redirectTo);
          return '';
        }
        response.status(answer.status ?? 200).set({ ...answer.headers });
        return layout(answer, request.visit, request.path).text;
      }),
    );
  }
}
