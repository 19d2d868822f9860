import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/*
 * A program: `lookup-process.ts` beside a name server, which knows one name and does not answer about those that contain
 * "silent". `namespace.ts` starts it where the operating system asks this server.
 */
const [program = '', known = ''] = process.argv.slice(2);
const server = createSocket('udp4');
server.on('message', (query, { port }) => {
  // https://www.rfc-editor.org/rfc/rfc1035#section-4.1
  const labels: string[] = [];
  let position = 12;
  for (let length = query[position] ?? 0; length > 0; length = query[position] ?? 0) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  const name = labels.join('.');
  if (name.includes('silent')) return;
  const isAddress = query.readUInt16BE(position + 1) === 1;
  const response = Buffer.from(query.subarray(0, position + 5));
  response.writeUInt16BE(name === known ? 0x8180 : 0x8183, 2);
  response.writeUInt16BE(name === known && isAddress ? 1 : 0, 6);
  response.writeUInt32BE(0, 8);
  const record = Buffer.from('c00c00010001000000000004c0000207', 'hex');
  server.send(response.readUInt16BE(6) === 1 ? Buffer.concat([response, record]) : response, port);
});
server.bind(53, '127.0.0.1');
await once(server, 'listening');
await import(program);
