import { StorageFailure } from '../../common/errors/storage-failure.js';

/** Where a bucket is, for messages. */
export interface S3Place {
  readonly bucket: string;
  readonly region: string;
  /** `null`: Amazon S3 */
  readonly endpoint: string | null;
}

/** What an error of the SDK or of the network may have. */
interface S3Error {
  readonly name?: string;
  readonly message?: string;
  /** Of the response, or of Node.js. */
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string | undefined>> };
}

const WRONG_KEYS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'TokenRefreshRequired',
  'Unauthorized',
  'UnauthorizedAccess',
]);
const WRONG_REGION = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'BucketRegionError',
]);
/** Stores call a full bucket, a full disk and a quota by many names. */
const FULL = new Set([
  'QuotaExceeded',
  'QuotaExceededException',
  'ServiceQuotaExceededException',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'ErrQuotaExceeded',
]);

/** Whether the response says that nothing is stored under the key. */
export function isMissingObject(error: unknown): boolean {
  return read(error).name === 'NoSuchKey';
}

/** Whether something is missing, which responses to HEAD and of proxies do not name. */
export function isUnnamed404(error: unknown): boolean {
  const { name, status } = read(error);
  return status === 404 && !['NoSuchKey', 'NoSuchBucket', 'NoSuchUpload'].includes(name);
}

/** Whether the multipart upload does not exist, or no longer exists. */
export function isMissingUpload(error: unknown): boolean {
  return read(error).name === 'NoSuchUpload';
}

/** Whether the store does not have the operation, or does not allow it. */
export function isUnsupported(error: unknown): boolean {
  const { name, status } = read(error);
  return status === 501 || status === 405 || name === 'NotImplemented' || name === 'MethodNotAllowed';
}

/** Whether the part of the object that was asked for does not exist. */
export function isInvalidRange(error: unknown): boolean {
  const { name, status } = read(error);
  return status === 416 || name === 'InvalidRange';
}

/** Describes a failed request in one sentence that names the variable to look at. */
export function toStorageFailure(error: unknown, place: S3Place): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const { name, status } = read(error);
  const isFull = status === 507 || FULL.has(name);
  return new StorageFailure(describe(error, place), isFull ? 'full' : 'unavailable', { cause: error });
}

function describe(error: unknown, { bucket, region, endpoint }: S3Place): string {
  const { name, status, message } = read(error);
  const where = endpoint === null ? `Amazon S3 in ${region}` : endpoint;
  if (status === 507 || FULL.has(name)) return `The bucket "${bucket}" (S3_BUCKET) is full at ${where}.`;
  if (name === 'NoSuchBucket') return `The bucket "${bucket}" (S3_BUCKET) does not exist at ${where}.`;
  if (WRONG_REGION.has(name) || status === 301) return wrongRegion(error, bucket, region);
  if (WRONG_KEYS.has(name) || status === 401) {
    return `The object storage at ${where} rejects the keys (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY): ${name}.`;
  }
  if (name === 'CredentialsProviderError') {
    return 'There are no keys for the object storage: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the platform an identity.';
  }
  if (name === 'RequestTimeTooSkewed') {
    return `The clock of this machine differs too much from that of the object storage at ${where}.`;
  }
  if (name === 'AccessDenied' || status === 403 || status === 405) {
    return `The keys (S3_ACCESS_KEY_ID) lack a permission for the bucket "${bucket}" (S3_BUCKET): ${name}.`;
  }
  if (status === undefined) {
    return `The object storage at ${where} (S3_ENDPOINT, S3_REGION) does not respond: ${message}.`;
  }
  return `The object storage at ${where} (S3_ENDPOINT) failed with ${status} ${name}.`;
}

function wrongRegion(error: unknown, bucket: string, region: string): string {
  const actual = (error as S3Error).$response?.headers?.['x-amz-bucket-region'];
  const other = actual === undefined ? 'another region' : `the region ${actual}`;
  return `The bucket "${bucket}" (S3_BUCKET) is in ${other}, not in ${region} (S3_REGION).`;
}

function read(error: unknown): { name: string; status: number | undefined; message: string } {
  const { name, message, code, $metadata } = error as S3Error;
  return {
    // The SDK names errors that it does not know `Error` or `UnknownError` and leaves the code of the response beside.
    name: (name === 'Error' || name === 'UnknownError' ? code : name) ?? name ?? 'Error',
    status: $metadata?.httpStatusCode,
    message: (message || code || name || 'unknown error').replace(/\.$/, ''),
  };
}
