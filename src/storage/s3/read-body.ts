import { PassThrough, pipeline, type Readable } from 'node:stream';

/**
 * Passes on the content of a response. Fails when the content is cut, and when the store sends nothing for a while
 * although the reader waits for it; a reader may take its time.
 *
 * @param stallTimeout in milliseconds
 * @param failed translates the error of the response
 * @returns a stream to read to its end or to destroy
 */
export function readBody(body: Readable, stallTimeout: number, failed: (error: unknown) => Error): Readable {
  let cause: unknown;
  body.once('error', (error) => (cause = error));
  const content = new PassThrough({
    // A reader that gives up may have an error of its own.
    destroy: (error, done) => done(error !== null && error === cause ? failed(error) : error),
  });
  let lastProgress = performance.now();
  body.on('data', () => (lastProgress = performance.now()));
  const timer = setInterval(() => {
    if (content.writableNeedDrain) lastProgress = performance.now();
    if (performance.now() - lastProgress > stallTimeout) {
      body.destroy(new Error(`nothing arrived for ${stallTimeout} ms`));
    }
  }, stallTimeout / 4).unref();
  content.once('close', () => clearInterval(timer));
  pipeline(body, content, () => undefined);
  return content;
}
