import { VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { useJsonBodies } from './common/http/json-body.js';
import { refuseSeveralHosts } from './common/http/host.js';
import { requestId } from './common/http/request-id.middleware.js';
import { noSniff } from './common/http/no-sniff.middleware.js';
import { wellFormedUrl } from './common/http/well-formed-url.middleware.js';
import { PinoLoggerService, requestLog } from './common/logging/logger.js';
import { ApiDocument } from './common/openapi/api-document.js';
import type { Config } from './config/config.js';
import { createDocument } from './docs/document.js';
import { failSafely } from './live-updates/downloads/fail-safely.middleware.js';
import { RequestMetrics } from './metrics/request-metrics.js';

/**
 * Builds the application with everything that shapes its HTTP interface.
 *
 * @param options.preview build only what the OpenAPI document needs, without connecting to anything
 */
export async function createApp(
  config: Config,
  logger: Logger,
  options: { preview?: boolean } = {},
): Promise<NestExpressApplication> {
  const document: ApiDocument = new ApiDocument(() => createDocument(app));
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config, document), {
    logger: new PinoLoggerService(logger),
    bodyParser: false,
    rawBody: true,
    abortOnError: false,
    routeConflictPolicy: { duplicate: 'error' },
    routeResolutionStrategy: 'specificity',
    preview: options.preview ?? false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy(config.http.trustProxy));
  if (config.http.metricsPort !== 0) app.use(app.get(RequestMetrics, { strict: false }).measure);
  app.use(requestId, noSniff, requestLog(logger, config.log), failSafely, refuseSeveralHosts, wellFormedUrl);
  useJsonBodies(app);
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  return app;
}

/** Express takes `false`, a number of hops, or a list of addresses. */
function trustProxy(setting: string): false | number | string {
  if (setting === 'false') return false;
  return /^\d+$/.test(setting) ? Number(setting) : setting;
}
