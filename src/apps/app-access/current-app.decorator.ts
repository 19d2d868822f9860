import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { TenantRequest } from '../../common/access/tenant-request.js';
import { documentIdParam } from '../../common/http/id-param.decorator.js';
import type { App } from '../apps/app.entity.js';

/** A request that the access guard has let through to an app. */
export interface AppRequest extends TenantRequest {
  currentApp?: App;
}

/** The app of the path's `:appId`, as the access guard loaded it. */
export function CurrentApp(): ParameterDecorator {
  return (target, method, index) => {
    fromRequest()(target, method, index);
    if (method !== undefined) documentIdParam(target, method, 'appId');
  };
}

const fromRequest = createParamDecorator((_: unknown, context: ExecutionContext): App => {
  const app = context.switchToHttp().getRequest<AppRequest>().currentApp;
  if (app === undefined) throw new Error('This route has no app: it lacks :appId or is public.');
  return app;
});
