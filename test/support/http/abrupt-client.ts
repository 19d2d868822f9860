import { connect } from 'node:net';

const END_OF_HEADERS = '\r\n\r\n';

/**
 * Gets a path and closes the connection with the last byte of the body, as some clients do.
 *
 * @param bytes closes after so many bytes of the body; by default after the last one of `Content-Length`
 * @returns how many bytes of the body have arrived
 */
export function getAndLeave(origin: string, path: string, bytes?: number): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let head = '';
    let wanted: number | undefined;
    let received = 0;
    socket.on('error', reject).on('close', () => resolve(received));
    socket.on('data', (chunk) => {
      if (wanted === undefined) {
        head += chunk.toString('latin1');
        const end = head.indexOf(END_OF_HEADERS);
        if (end < 0) return;
        wanted = bytes ?? Number(/^content-length: (\d+)/im.exec(head)?.[1]);
        received = head.length - end - END_OF_HEADERS.length;
      } else received += chunk.length;
      if (received >= wanted) socket.resetAndDestroy();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  });
}
