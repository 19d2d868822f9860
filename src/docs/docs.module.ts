import { type DynamicModule, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ApiDocument } from '../common/openapi/api-document.js';
import { pageHeadersWith } from '../pages/requests/page-headers.middleware.js';
import { DocsController } from './docs.controller.js';
import { DocsService } from './docs.service.js';

/** Swagger UI runs scripts, sends requests to this server, and sets its own styles and images. */
const docsHeaders = pageHeadersWith({
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
});

/** The description of the API, for people and programs. */
@Module({ providers: [DocsService] })
export class DocsModule implements NestModule {
  /** @param isServed as `API_DOCS` says */
  static with(isServed: boolean, document: ApiDocument): DynamicModule {
    return {
      module: DocsModule,
      global: true,
      controllers: isServed ? [DocsController] : [],
      providers: [{ provide: ApiDocument, useValue: document }],
      exports: [ApiDocument],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(docsHeaders).forRoutes(DocsController);
  }
}
