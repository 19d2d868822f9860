import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  PayloadTooLargeException,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Observable } from 'rxjs';
import { invalidField } from '../../common/errors/app-error.js';

/** Largest certificate file: 256 KiB. Keystores have a few. */
export const MAX_CERTIFICATE_BYTES = 256 * 1024;

/** Reads the file of a certificate, and says what is too large for one. */
@Injectable()
export class CertificateFileInterceptor extends FileInterceptor('file') {
  /** @throws InvalidRequestError when the file is larger than certificates are */
  override async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    try {
      return await super.intercept(context, next);
    } catch (error) {
      if (!(error instanceof PayloadTooLargeException)) throw error;
      throw invalidField(
        'file',
        `file has more than ${MAX_CERTIFICATE_BYTES / 1024} KiB: upload a key or a keystore, and no app.`,
      );
    }
  }
}
