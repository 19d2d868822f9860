import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { UnsupportedMediaTypeError } from '../errors/app-error.js';

/** The metadata of `@ApiConsumes()`, so that what is documented is what is enforced. */
const CONSUMES = 'swagger/apiConsumes';

/**
 * Refuses a body in a content type that the route does not read: JSON unless `@ApiConsumes()` says otherwise.
 * A request without body passes whatever its content type: clients send `application/x-www-form-urlencoded` with
 * nothing in it.
 */
@Injectable()
export class ContentTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!hasBody(request)) return true;
    const declared = Reflect.getMetadata(CONSUMES, context.getHandler()) as string[] | undefined;
    const accepted = declared ?? ['application/json'];
    if (!request.is(accepted)) throw new UnsupportedMediaTypeError(accepted.join(' or '));
    return true;
  }
}

function hasBody(request: Request): boolean {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE') return false;
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}
