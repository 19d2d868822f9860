import { type DynamicModule, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
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
@Module({ providers: [DocsService], exports: [DocsService] })
export class DocsModule implements NestModule {
  /** @param isServed as `API_DOCS` says */
  static with(isServed: boolean): DynamicModule {
    return { module: DocsModule, controllers: isServed ? [DocsController] : [] };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(docsHeaders).forRoutes(DocsController);
  }
}
