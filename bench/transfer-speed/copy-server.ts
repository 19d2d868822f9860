import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A program: keeps what is PUT in one file, flushed, and sends it again, by nothing but the streams of Node.js. */
const { folder } = JSON.parse(process.argv[2] ?? '') as { folder: string };
const file = join(folder, 'copy');

const server = createServer((request, response) => {
  const work = async (): Promise<void> => {
    if (request.method === 'PUT') {
      await pipeline(request, createWriteStream(file, { flush: true }));
      response.end();
    } else {
      response.setHeader('Content-Length', (await stat(file)).size);
      await pipeline(createReadStream(file), response);
    }
  };
  work().catch((error: unknown) => response.destroy(error as Error));
});
// Connections are used again after the next file was made, which takes seconds.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
