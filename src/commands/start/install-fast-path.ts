import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { proxyTrustOf } from '../../common/request-origin/request-origin.js';
import { UpdateCheckFastPath } from '../../devices/update-check/update-check-fast-path.js';
import { Readiness } from '../../health/readiness.js';

/**
 * Puts the fast path of update checks in front of Express, which gets every request that the fast path leaves. During
 * shutdown Express alone answers, because it also closes connections.
 */
export function installUpdateCheckFastPath(app: NestExpressApplication): void {
  const server = app.getHttpServer() as Server;
  const fastPath = app.get(UpdateCheckFastPath, { strict: false });
  const readiness = app.get(Readiness, { strict: false });
  const trusts = proxyTrustOf({ app: app.getHttpAdapter().getInstance() });
  const express = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!readiness.isShuttingDown && fastPath.handle(request, response, trusts)) return;
    for (const listener of express) listener(request, response as never);
  });
}
