import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The argument of this program. */
export interface SlowReaders {
  readonly origin: string;
  readonly path: string;
  readonly readers: number;
  readonly bytesPerSecond: number;
}

/** A program: downloads that never end, because each reads only so much in a second. */
const { origin, path, readers, bytesPerSecond } = JSON.parse(process.argv[2] ?? '') as SlowReaders;
const { hostname, port } = new URL(origin);

/** Downloads that start at once. The local network takes megabytes of each at full speed before it slows down. */
const BATCH = 50;

const sockets: Socket[] = [];
while (sockets.length < readers) {
  const batch = Array.from({ length: Math.min(BATCH, readers - sockets.length) }, start);
  await Promise.all(batch.map(readHead));
  sockets.push(...batch);
}
process.send?.({ port: Number(port) });

function start(): Socket {
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', fail).on('end', () => fail(new Error('A download has ended.')));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  return socket;
}

async function readHead(socket: Socket): Promise<void> {
  await once(socket, 'readable');
  const head = String(socket.read(15) ?? '');
  if (!head.startsWith('HTTP/1.1 200')) fail(new Error(`The response to a download was ${head}.`));
}

// Each in its turn, so that the server sees a steady stream.
const TURN = 50;
let next = 0;
setInterval(() => {
  for (const end = next + (readers * TURN) / 1000; next < end; next++) {
    const socket = sockets[next % readers];
    socket?.read(Math.min(bytesPerSecond, socket.readableLength));
  }
}, TURN);

function fail(error: Error): void {
  console.error(error.message);
  process.exit(1);
}
