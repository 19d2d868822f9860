import { endWithoutParent } from '../../common/process/end-without-parent.js';
import type { ProcessMessage, ReaderRequest, ServerMessage } from './process/messages.js';
import { ServerFile } from './process/server-file.js';
import { findDevice, readArtifact } from './read-artifact.js';

/*
 * A program of its own, which `ArtifactReaderService` starts: reads one artifact and ends. It asks the server for the parts
 * of the file that it needs, and can reach nothing else.
 */
endWithoutParent(40_000);

const send = (message: ProcessMessage, sent?: () => void): void => {
  process.send?.(message, undefined, undefined, sent);
};
const file = new ServerFile(send);

process.once('message', ({ type, sizeInBytes, udid }: ReaderRequest) => {
  process.on('message', (message: ServerMessage) => file.receive(message));
  const reading =
    udid === null
      ? readArtifact(type, sizeInBytes, file.openRange)
      : findDevice(udid, sizeInBytes, file.openRange);
  void reading.then((result) => send(result, () => process.disconnect()));
});
