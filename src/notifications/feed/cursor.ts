/** How far a reader of an organization's events is. */
export interface FeedPosition {
  /** The epoch that counts the position; `null`: the first one. */
  readonly epoch: string | null;
  /** Up to which the events were read. */
  readonly position: number;
}

/** Of a cursor of the first epoch, and of later ones. */
const FIRST = 1;
const LATER = 2;
/** Version, organization, the epoch of later ones, and position. */
const BYTES: Readonly<Record<number, number>> = { [FIRST]: 1 + 16 + 8, [LATER]: 1 + 16 + 16 + 8 };

/**
 * How far a reader of an organization's events is. It is made for this organization only.
 *
 * @returns 34 characters of Base64URL, and 55 in a later epoch than the first one
 */
export function cursorOf(organizationId: string, { epoch, position }: FeedPosition): string {
  const end = Buffer.alloc(8);
  end.writeBigUInt64BE(BigInt(position));
  const version = Buffer.of(epoch === null ? FIRST : LATER);
  const ids = [organizationId, ...(epoch === null ? [] : [epoch])].map(bytesOf);
  return Buffer.concat([version, ...ids, end]).toString('base64url');
}

/** Reads `cursorOf`. @returns `null`: it is malformed, or was made for another organization */
export function positionOf(cursor: string, organizationId: string): FeedPosition | null {
  const bytes = Buffer.from(cursor, 'base64url');
  const [version = 0] = bytes;
  if (bytes.length !== BYTES[version]) return null;
  const position = Number(bytes.readBigUInt64BE(bytes.length - 8));
  if (!Number.isSafeInteger(position)) return null;
  const epoch = version === FIRST ? null : uuidOf(bytes.subarray(17, 33));
  // The same text again: Node.js ignores what is not Base64URL.
  return cursorOf(organizationId, { epoch, position }) === cursor ? { epoch, position } : null;
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
