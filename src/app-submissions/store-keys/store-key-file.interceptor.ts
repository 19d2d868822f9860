import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  PayloadTooLargeException,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Observable } from 'rxjs';
import { invalidField } from '../../common/errors/app-error.js';

/** Largest file of a key: 64 KiB. They have about two. */
export const MAX_STORE_KEY_BYTES = 64 * 1024;

/** Reads the file of a key, and says what is too large for one. */
@Injectable()
export class StoreKeyFileInterceptor extends FileInterceptor('file') {
  /** @throws InvalidRequestError when the file is larger than keys are */
  override async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    try {
      return await super.intercept(context, next);
    } catch (error) {
      if (!(error instanceof PayloadTooLargeException)) throw error;
      throw invalidField('file', `file has more than ${MAX_STORE_KEY_BYTES / 1024} KiB, and no key has.`);
    }
  }
}
