import { endWithoutParent } from '../../common/process/end-without-parent.js';
import type { ProcessMessage, ServerMessage } from './process/messages.js';
import { ServerFile } from './process/server-file.js';
import { readArtifact } from './read-artifact.js';

/*
 * A program of its own, which `ArtifactReaderService` starts: reads one artifact and ends. It asks the server for the parts
 * of the file that it needs, and can reach nothing else.
 */
endWithoutParent(40_000);

const send = (message: ProcessMessage, sent?: () => void): void => {
  process.send?.(message, undefined, undefined, sent);
};
const file = new ServerFile(send);

process.once('message', ({ type, sizeInBytes }: Extract<ServerMessage, { sizeInBytes: number }>) => {
  process.on('message', (message: ServerMessage) => file.receive(message));
  void readArtifact(type, sizeInBytes, file.openRange).then((reading) =>
    send(reading, () => process.disconnect()),
  );
});
