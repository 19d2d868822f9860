import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  PayloadTooLargeException,
  type Type,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Observable } from 'rxjs';
import { invalidField } from '../errors/app-error.js';

/**
 * Reads the upload `file`, and says what is too large for one of its kind.
 *
 * @param maxBytes as in the options of `MulterModule`
 * @param remark ends the sentence about a larger file, such as `, and no key has`
 * @returns an interceptor, which throws InvalidRequestError for a larger file
 */
export function SmallFileInterceptor(maxBytes: number, remark: string): Type<NestInterceptor> {
  @Injectable()
  class Interceptor extends FileInterceptor('file') {
    override async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      try {
        return await super.intercept(context, next);
      } catch (error) {
        if (!(error instanceof PayloadTooLargeException)) throw error;
        throw invalidField('file', `file has more than ${maxBytes / 1024} KiB${remark}.`);
      }
    }
  }
  return Interceptor;
}
