const VERSION = 1;
/** Version, organization and position. */
const BYTES = 1 + 16 + 8;

/** How far a reader of an organization's events is. It is made for this organization only. @returns 34 characters of Base64URL */
export function cursorOf(organizationId: string, position: number): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.write(organizationId.replaceAll('-', ''), 1, 'hex');
  bytes.writeBigUInt64BE(BigInt(position), 17);
  return bytes.toString('base64url');
}

/** Reads `cursorOf`. @returns the position; `null`: it is malformed, or was made for another organization */
export function positionOf(cursor: string, organizationId: string): number | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== BYTES) return null;
  const position = Number(bytes.readBigUInt64BE(17));
  if (!Number.isSafeInteger(position)) return null;
  // The same text again: Node.js ignores what is not Base64URL.
  return cursorOf(organizationId, position) === cursor ? position : null;
}
