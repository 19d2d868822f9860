import { createServer, type ServerResponse } from 'node:http';

/*
 * The receivers of `bench/webhooks.ts`, in a process of their own. `/<run>/<number>` is one receiver; the number decides
 * whether it misbehaves. `GET /<run>` reports when each receiver had how many different messages.
 */

const { bad } = JSON.parse(process.argv[2] ?? '{}') as { readonly bad: number };

/** Milliseconds since the start of the process, by receiver and message. */
const arrivals = new Map<string, Map<string, number>>();

/** As receivers misbehave: two of them are slow, two hold the connection, two fail at once. */
const misbehaviours: readonly ((response: ServerResponse) => unknown)[] = [
  () => undefined,
  (response) => response.writeHead(503).end(),
  (response) => setTimeout(() => response.end('late'), 4000),
  (response) => response.socket?.resetAndDestroy(),
  (response) => {
    response.writeHead(200).write('.');
  },
  (response) => setTimeout(() => response.writeHead(500).end(), 8000),
];

const server = createServer((request, response) => {
  const [, run = '', receiver = ''] = (request.url ?? '').split('/');
  response.on('error', () => undefined);
  if (request.method === 'GET') {
    const own = [...arrivals].filter(([path]) => path.startsWith(`/${run}/`));
    response.end(JSON.stringify(Object.fromEntries(own.map(([path, seen]) => [path, [...seen.values()]]))));
    return;
  }
  request.resume().on('end', () => {
    const number = Number(receiver);
    const misbehaves = run === 'bad' && number < bad;
    if (misbehaves) return misbehaviours[number % misbehaviours.length]?.(response);
    const path = request.url ?? '';
    const seen = arrivals.get(path) ?? new Map<string, number>();
    arrivals.set(path, seen);
    const id = String(request.headers['webhook-id']);
    if (!seen.has(id)) seen.set(id, Date.now());
    response.end('ok');
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
