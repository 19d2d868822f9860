import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { proxyTrustOf } from '../../common/request-origin/request-origin.js';
import { UpdateCheckFastPath } from '../../devices/update-check/update-check-fast-path.js';
import { Shutdown } from '../../health/shutdown.js';

/**
 * Puts the fast path of update checks in front of Express, which gets every request that the fast path leaves. The
 * shutdown must know every request but those that the fast path has answered at once.
 */
export function installUpdateCheckFastPath(app: NestExpressApplication): void {
  const server = app.getHttpServer() as Server;
  const fastPath = app.get(UpdateCheckFastPath, { strict: false });
  const shutdown = app.get(Shutdown, { strict: false });
  const trusts = proxyTrustOf({ app: app.getHttpAdapter().getInstance() });
  const express = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (shutdown.hasBegun) shutdown.track(response);
    const isAnswered = fastPath.handle(request, response, trusts);
    if (isAnswered === true) return;
    if (!shutdown.hasBegun) shutdown.track(response);
    if (isAnswered === false) passOn(request, response);
    else void isAnswered.then((isAnsweredNow) => isAnsweredNow || passOn(request, response));
  });

  function passOn(request: IncomingMessage, response: ServerResponse): void {
    for (const listener of express) listener(request, response as never);
  }
}
