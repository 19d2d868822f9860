import type { UploadOperation } from '../upload-operations.js';

/** The form in which parts are sealed in the row of a submission. */
export function toStored(operations: readonly UploadOperation[]): string {
  return JSON.stringify(operations);
}

/** @param text of `toStored` */
export function fromStored(text: string): UploadOperation[] {
  return (JSON.parse(text) as StoredOperation[]).map(({ expiration, ...operation }) => ({
    ...operation,
    expiration: expiration === null ? null : new Date(expiration),
  }));
}

type StoredOperation = Omit<UploadOperation, 'expiration'> & { readonly expiration: string | null };
