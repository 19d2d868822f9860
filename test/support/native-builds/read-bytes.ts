import { Readable } from 'node:stream';
import type { WorkBudget } from '../../../src/common/work-budget.js';
import type { ReadableType } from '../../../src/native-builds/artifact-readers/artifact-facts.js';
import {
  type ArtifactReading,
  readArtifact,
} from '../../../src/native-builds/artifact-readers/read-artifact.js';

/** Reads a file from memory, without a process of its own. @param work counts what it costs */
export function readBytes(type: ReadableType, bytes: Buffer, work?: WorkBudget): Promise<ArtifactReading> {
  return readArtifact(
    type,
    bytes.length,
    ({ start, length }) => Promise.resolve(Readable.from([bytes.subarray(start, start + length)])),
    work,
  );
}
