import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import express from 'express';
import { pino } from 'pino';
import pretty from 'pino-pretty';
import { requestLog, terminalOptions } from './logger.js';

/** What a terminal shows of some requests, line by line, without the time of day. */
async function linesOf(level: string, paths: readonly string[]): Promise<string[]> {
  let text = '';
  const destination = new PassThrough().on('data', (chunk: Buffer) => (text += chunk.toString()));
  const stream = pretty({ ...terminalOptions(level), colorize: false, destination, sync: true });
  const app = express();
  app.use(requestLog(pino({ level, base: null }, stream), { pretty: true }));
  app.get('/failing', (_request, response) => void response.status(500).end());
  app.get('/working', (_request, response) => void response.end());
  const server = createServer(app).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of paths) await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  server.close();
  await once(server, 'close');
  return text
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\[[\d:]+\] /, ''));
}

it('shows method, path, status and time of a request in a terminal, and nothing else', async () => {
  const [working, failing, ...others] = await linesOf('info', ['/working?deviceId=secret', '/failing']);
  expect(working).toMatch(/^INFO: GET \/working 200 \d+ ms$/);
  expect(failing).toMatch(/^ERROR: GET \/failing 500/);
  expect(others.join('\n')).not.toContain('requestId');
});

it('shows everything in a terminal when someone debugs', async () => {
  const [line] = await linesOf('debug', ['/working']);
  expect(line).toMatch(/GET \/working 200 \d+ ms \{.*"requestId":/);
});
