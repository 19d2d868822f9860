import type { ByteRange } from '../../storage/object-storage.js';
import type { ReadableType } from './artifact-facts.js';
import type { ArtifactReading, DeviceReading } from './read-artifact.js';

/** Most bytes that the process asks for at once. */
export const MAX_RANGE_BYTES = 1024 * 1024;

/** Which file is read; with a UDID, only whether its profile lists that device. The list never leaves the process. */
export interface ReaderRequest {
  readonly type: ReadableType;
  readonly sizeInBytes: number;
  /** `null`: everything is read. */
  readonly udid: string | null;
}

/** What the server sends: first the file, then the bytes that were asked for. */
export type ServerMessage = ReaderRequest | { readonly rangeId: number; readonly bytes: Uint8Array };

/** What the process sends: ranges that it needs, then what it has read. */
export type ProcessMessage =
  { readonly rangeId: number; readonly range: ByteRange } | ArtifactReading | DeviceReading;
