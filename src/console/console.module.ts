import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { pageHeadersWith, withNonce } from '../pages/requests/page-headers.middleware.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles } from './console-files.js';

/** Scripts and styles run by the nonce of the page, and what they load; images come from this server or from memory. */
const consoleHeaders = pageHeadersWith({
  scriptSrc: [withNonce, "'strict-dynamic'"],
  styleSrc: ["'self'", withNonce],
  imgSrc: ["'self'", 'blob:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  formAction: ["'self'"],
});

/** The console for people. Below all areas: it is a client of all of them, and imports none. */
@Module({ controllers: [ConsoleController], providers: [ConsoleFiles] })
export class ConsoleModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    // By the controller: paths alone would be below `/v1`, too.
    consumer.apply(consoleHeaders).forRoutes(ConsoleController);
  }
}
