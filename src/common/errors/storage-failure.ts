/** Why the storage of files failed: it does not respond as it should, or it is full. */
export type StorageFailureReason = 'unavailable' | 'full';

/**
 * The storage of files failed. No `AppError`, so that code which cleans up after refused requests does not take it for a
 * refusal: what was written before it stays. Responses show it as 503 or 507.
 */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';

  /**
   * @param message for operators, one sentence; responses do not contain it
   * @param options the error of the storage as `cause`
   */
  constructor(
    message: string,
    readonly reason: StorageFailureReason,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
