import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { type InvalidRequestError, invalidFields } from '../errors/app-error.js';
import { documentedFields } from '../openapi/documented-fields.js';
import { validatedFields } from './validated-fields.js';

/** Names the query parameters of a request that its route does not have. */
export const IGNORED_PARAMETERS = 'X-Ignored-Parameters';
/** Names the fields of a body that its route does not have. */
export const IGNORED_FIELDS = 'X-Ignored-Fields';

/** Most characters of a header: proxies have room for a few kilobytes of headers. */
const MAX_LENGTH = 500;
/** Longest name that an error repeats. */
const MAX_SHOWN = 64;

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** What a handler reads; `null`: all that it gets, as far as anyone knows. */
interface Known {
  readonly parameters: ReadonlySet<string> | null;
  readonly fields: ReadonlySet<string> | null;
}

/**
 * Names query parameters and fields that have no effect in headers, because they are no error: the official clients may
 * send more than a route knows, but a filter that is misspelt should not pass for one that holds. Fields of the response
 * and ids of the path are not named, because clients send back what they got. Routes that read their query or their body
 * themselves are left alone. A DELETE with other parameters is refused: where a part of its path was lost, the parameters
 * of what was meant remain, and it must not delete what contains it.
 */
@Injectable()
export class IgnoredInputInterceptor implements NestInterceptor<unknown, unknown> {
  private readonly known = new WeakMap<Handler, Known>();

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const known = this.knownTo(context);
    const parameters = known.parameters ?? (request.method === 'DELETE' ? new Set<string>() : null);
    const ignored = othersThan(parameters, request.query);
    if (request.method === 'DELETE' && ignored.length > 0) throw unknownParameters(ignored);
    nameIn(response, IGNORED_PARAMETERS, ignored);
    const nameFields = (): void => {
      const fields = othersThan(known.fields, request.body).filter((name) => !(name in request.params));
      nameIn(response, IGNORED_FIELDS, fields);
    };
    if (request.body !== undefined) {
      nameFields();
      return next.handle();
    }
    // The fields of a multipart body are known only behind the interceptor that reads it.
    return next.handle().pipe(tap(nameFields));
  }

  private knownTo(context: ExecutionContext): Known {
    const handler = context.getHandler();
    let known = this.known.get(handler);
    if (known === undefined) this.known.set(handler, (known = readBy(context.getClass(), handler)));
    return known;
  }
}

/** What a handler declares to read. */
function readBy(controller: { readonly prototype: object }, handler: Handler): Known {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Readonly<
    Record<string, { readonly index: number; readonly data?: unknown }>
  >;
  const types = Reflect.getMetadata(
    'design:paramtypes',
    controller.prototype,
    handler.name,
  ) as readonly unknown[];
  const namesOf = (kind: RouteParamtypes): string[] | null => {
    const found = Object.entries(args).filter(([key]) => key.startsWith(`${kind}:`));
    const names = found.flatMap(([, { index, data }]) =>
      typeof data === 'string' ? [data] : validatedFields(types[index]),
    );
    return names.length === 0 ? null : names;
  };
  const [parameters, fields] = [namesOf(RouteParamtypes.QUERY), namesOf(RouteParamtypes.BODY)];
  return {
    parameters: parameters && new Set(parameters),
    fields: fields && new Set([...fields, ...responseFields(handler)]),
  };
}

/** The fields of the successful responses of a handler, as the swagger plugin has found them. */
function responseFields(handler: Handler): string[] {
  const responses = (Reflect.getMetadata('swagger/apiResponse', handler) ?? {}) as Readonly<
    Record<string, { readonly type?: unknown }>
  >;
  return Object.values(responses).flatMap(({ type }) => documentedFields(type));
}

function othersThan(known: ReadonlySet<string> | null, sent: unknown): string[] {
  if (known === null || typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  return Object.keys(sent).filter((name) => !known.has(name));
}

function unknownParameters(names: readonly string[]): InvalidRequestError {
  return invalidFields(
    names.map((name) => {
      const field = name.slice(0, MAX_SHOWN);
      const message = `This DELETE has no parameter ${JSON.stringify(field)}: nothing was deleted.`;
      return { field, message };
    }),
  );
}

/** Percent-encoded, in the order of the request, as many as there is room for. */
function nameIn(response: Response, header: string, names: readonly string[]): void {
  if (names.length === 0 || response.headersSent) return;
  let list = '';
  for (const name of names.map((each) => encodeURIComponent(each.toWellFormed()))) {
    if (list.length + name.length > MAX_LENGTH) {
      list = list === '' ? '...' : `${list}, ...`;
      break;
    }
    list += list === '' ? name : `, ${name}`;
  }
  response.setHeader(header, list);
}
