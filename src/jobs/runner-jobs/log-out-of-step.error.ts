import { ConflictError } from '../../common/errors/app-error.js';

/** The header that says how many bytes of the log have arrived. */
export const UPLOAD_OFFSET_HEADER = 'Upload-Offset';

/** 409: the log continues elsewhere than the runner says. */
export class LogOutOfStepError extends ConflictError {
  override readonly headers: Readonly<Record<string, string>>;

  /** @param logBytes how many bytes have arrived */
  constructor(logBytes: number) {
    super(`The log has ${logBytes} bytes: go on there.`, 'log_out_of_step');
    this.headers = { [UPLOAD_OFFSET_HEADER]: String(logBytes) };
  }
}
