import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { catchError, from, type Observable, switchMap, throwError } from 'rxjs';
import { RefusalsService } from './refusals.service.js';

/** Records writes that a handler refuses, after their transaction is rolled back. */
@Injectable()
export class RefusalsInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(private readonly refusals: RefusalsService) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next
      .handle()
      .pipe(
        catchError((error: unknown) =>
          from(this.refusals.record(context, error)).pipe(switchMap(() => throwError(() => error))),
        ),
      );
  }
}
