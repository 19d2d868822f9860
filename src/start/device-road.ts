import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { proxyTrustOf } from '../common/http/call-origin.js';
import { Readiness } from '../health/readiness.js';
import { DeviceRoad } from '../live-updates/update-check/device-road.js';

/**
 * Lets the HTTP server ask the short road of devices first, and Express for what that leaves. During shutdown Express
 * alone answers, which also ends connections.
 */
export function putDeviceRoadInFront(app: NestExpressApplication): void {
  const server = app.getHttpServer() as Server;
  const road = app.get(DeviceRoad, { strict: false });
  const readiness = app.get(Readiness, { strict: false });
  const trusts = proxyTrustOf({ app: app.getHttpAdapter().getInstance() });
  const express = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!readiness.isShuttingDown && road.answer(request, response, trusts)) return;
    for (const listener of express) listener(request, response as never);
  });
}
