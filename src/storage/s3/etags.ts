/** Encryption by the store with its own keys, which leaves the `ETag` a hash. With other keys it is none. */
const PLAIN_ENCRYPTION = 'AES256';

/** What a store says of an object. */
interface StoredResponse {
  readonly ETag?: string | undefined;
  readonly ServerSideEncryption?: string | undefined;
  readonly SSECustomerAlgorithm?: string | undefined;
}

/**
 * Fails when a response cannot come from a store: each response about an object has an `ETag`, and a page of a proxy has
 * none.
 */
export function assertETag({ ETag }: StoredResponse): void {
  if (!ETag) throw new Error('it did not send an ETag');
}

/**
 * Fails when the store says that it has stored other bytes than it was sent. It can be compared when the object came in one
 * piece and is not encrypted with a key: then the `ETag` is the MD5 of the bytes
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html).
 *
 * @param md5 hexadecimal; `null`: the object came in parts
 */
export function assertSameContent(response: StoredResponse, md5: string | null): void {
  const { ETag = '', ServerSideEncryption = PLAIN_ENCRYPTION, SSECustomerAlgorithm } = response;
  const hash = ETag.replaceAll('"', '');
  const isEncrypted = SSECustomerAlgorithm !== undefined || ServerSideEncryption !== PLAIN_ENCRYPTION;
  if (md5 === null || isEncrypted || !/^[0-9a-f]{32}$/.test(hash)) return;
  if (hash !== md5) throw new Error('it has stored other bytes than it was sent');
}
