import { Controller, Get, Header, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { WireResponse } from './wire-response.ts';

/**
 * A program: a NestJS application on Express with one handler, which returns the answer that it is given. It is what
 * `NestFactory.create` makes; `lean`, without what that adds (reading bodies, an `ETag`, `X-Powered-By`). Decorators are
 * called as functions, because nothing compiles this file.
 */
const { headers, body, lean } = JSON.parse(process.argv[2] ?? '') as WireResponse & {
  readonly lean: boolean;
};
const update = JSON.parse(body) as object;

class CheckController {
  check(): object {
    return update;
  }
}
const handler = Object.getOwnPropertyDescriptor(CheckController.prototype, 'check') as PropertyDescriptor;
const decorators = [
  Get('v1/apps/:appId/bundles/latest'),
  ...Object.entries(headers)
    .filter(([name]) => name !== 'content-length' && name !== 'content-type')
    .map(([name, value]) => Header(name, value)),
];
for (const decorate of decorators) decorate(CheckController.prototype, 'check', handler);
Controller()(CheckController);

class CheckModule {}
Module({ controllers: [CheckController] })(CheckModule);

const app = await NestFactory.create<NestExpressApplication>(CheckModule, {
  logger: false,
  bodyParser: !lean,
});
if (lean) app.disable('x-powered-by').disable('etag');
await app.listen(0, '127.0.0.1');
process.send?.(app.getHttpServer().address());
// The benchmark has ended, perhaps before it could stop this.
process.once('disconnect', () => process.exit());
