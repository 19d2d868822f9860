import { createServer } from 'node:http';
import type { WireResponse } from './wire-response.ts';

/** A program: answers everything with the answer that it is given, as fast as Node.js can. */
const { status, headers, body } = JSON.parse(process.argv[2] ?? '') as WireResponse;
const bytes = Buffer.from(body);

const server = createServer((_request, response) => {
  response.writeHead(status, headers).end(bytes);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
// The benchmark has ended, perhaps before it could stop this.
process.once('disconnect', () => process.exit());
