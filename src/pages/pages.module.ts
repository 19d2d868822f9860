import { type MiddlewareConsumer, Module, type NestModule, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { urlencoded } from 'express';
import { PAGE_CONTROLLER } from './requests/page.decorators.js';
import { pageHeaders } from './requests/page-headers.middleware.js';
import { StylesheetController } from './views/stylesheet.controller.js';

/** Largest form, in bytes. */
const MAX_FORM = 16 * 1024;
/** Most fields of a form. That of a token has a checkbox for each permission, and for up to 200 organizations and apps. */
const MAX_FIELDS = 300;

/** The pages for people. Gives every `@PageController()` of the application its headers and the parser of forms. */
@Module({ imports: [DiscoveryModule], controllers: [StylesheetController] })
export class PagesModule implements NestModule {
  constructor(private readonly discovery: DiscoveryService) {}

  configure(consumer: MiddlewareConsumer): void {
    const controllers = this.discovery
      .getControllers()
      .map(({ metatype }) => metatype as Type)
      .filter((type) => Reflect.hasMetadata(PAGE_CONTROLLER, type));
    const parseForm = urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: MAX_FIELDS });
    consumer.apply(pageHeaders, parseForm).forRoutes(...controllers);
  }
}
