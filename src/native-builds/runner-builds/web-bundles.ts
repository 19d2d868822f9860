import type { StagedBlob } from '../../storage/blobs/blobs.service.js';

/** The zip that a runner built from a web project. */
export interface BuiltZip {
  readonly appId: string;
  /** The id of the artifact and of the bundle. */
  readonly id: string;
  readonly fileName: string;
  readonly blobId: string;
  readonly content: Pick<StagedBlob, 'sha256' | 'sizeInBytes'>;
  /** Base64 (RSA PKCS#1 v1.5 over SHA-256); `null`: unsigned. */
  readonly signature: string | null;
}

/**
 * The bundles of live updates that runners build. Live updates provide it, because builds may not import them. A bundle
 * is attached when its zip is stored, then verified as an uploaded one is, and published by the end of the job.
 */
export abstract class WebBundles {
  /** Makes a stored zip the bundle of its artifact; safe to repeat. Call it in the transaction that stores it. */
  abstract attach(zip: BuiltZip): Promise<void>;

  /**
   * Verifies the bundle by what is in storage. Call it outside of transactions.
   *
   * @throws InvalidRequestError when devices could not use it, or its signature is by no key of the app
   */
  abstract verify(appId: string, id: string): Promise<void>;

  /**
   * Makes a verified bundle available, in the running transaction.
   *
   * @returns whether it was verified
   */
  abstract publish(id: string): Promise<boolean>;
}
