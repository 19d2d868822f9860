import type { ByteRange } from '../../../storage/object-storage.js';
import type { ReadableType } from '../artifact-facts.js';
import type { ArtifactReading } from '../read-artifact.js';

/** Most bytes that the process asks for at once. */
export const MAX_RANGE_BYTES = 1024 * 1024;

/** What the server sends: first the file, then the bytes that were asked for. */
export type ServerMessage =
  | { readonly type: ReadableType; readonly sizeInBytes: number }
  | { readonly rangeId: number; readonly bytes: Uint8Array };

/** What the process sends: ranges that it needs, then what it has read. */
export type ProcessMessage = { readonly rangeId: number; readonly range: ByteRange } | ArtifactReading;
