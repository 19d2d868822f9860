/** How one part of the file is uploaded: exactly as Apple says. */
export interface UploadOperation {
  readonly method: 'PUT' | 'POST';
  /** Gives access: keep it sealed. */
  readonly url: string;
  /** Where the part begins, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly partNumber: number;
  readonly requestHeaders: readonly OperationHeader[];
  /** `null`: Apple does not say. */
  readonly expiration: Date | null;
}

/** A header that an operation names. */
export interface OperationHeader {
  readonly name: string;
  readonly value: string;
}
