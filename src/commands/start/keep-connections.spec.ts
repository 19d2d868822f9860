import { createServer } from 'node:http';
import { HttpConfig } from '../../config/groups/http-config.js';
import { keepConnections } from './start.js';

describe('keepConnections', () => {
  const serverWith = (keepAliveSeconds: number) => {
    const server = createServer();
    keepConnections(server, Object.assign(new HttpConfig(), { keepAliveSeconds }));
    return server;
  };

  it('keeps connections without a request for as long as idle ones, and longer than Node allows requests', () => {
    const { keepAliveTimeout, headersTimeout, requestTimeout } = serverWith(620);
    expect(keepAliveTimeout).toBe(620_000);
    expect(headersTimeout).toBeGreaterThan(keepAliveTimeout);
    expect(requestTimeout).toBeGreaterThanOrEqual(headersTimeout);
  });

  it('otherwise leaves requests five minutes', () => {
    expect(serverWith(75).requestTimeout).toBe(300_000);
  });
});
