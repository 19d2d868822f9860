import type { StoreSession } from '../store-calls/store-session.js';

/** How one part of the file is uploaded: exactly as Apple says. */
export interface UploadOperation {
  readonly method: 'PUT' | 'POST';
  /** Gives access: keep it sealed. */
  readonly url: string;
  /** Where the part begins, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly partNumber: number;
  readonly requestHeaders: readonly { readonly name: string; readonly value: string }[];
  /** `null`: Apple does not say. */
  readonly expiration: Date | null;
}

/**
 * Uploads one part, without the token.
 *
 * @param bytes of the part: all at once, or one chunk after the other
 * @throws StoreRefusal `new-upload` when the address is used up, `back-off` when its server fails
 * @throws StoreUnreachableError
 */
export async function sendOperation(
  session: StoreSession,
  operation: UploadOperation,
  bytes: Uint8Array,
): Promise<void> {
  const { method, url, requestHeaders } = operation;
  const headers = Object.fromEntries(requestHeaders.map(({ name, value }) => [name, value]));
  await session.call({ method, url, headers, body: bytes, isSecretAddress: true });
}
