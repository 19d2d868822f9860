import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { type InvalidRequestError, invalidFields } from '../errors/app-error.js';
import { validatedFields } from './validated-fields.js';

/** Names the query parameters of a request that its route does not have. */
export const IGNORED_PARAMETERS = 'X-Ignored-Parameters';

/** Most characters of the header: proxies have room for a few kilobytes of headers. */
const MAX_LENGTH = 500;
/** Longest name that an error repeats. */
const MAX_SHOWN = 64;

type Handler = ReturnType<ExecutionContext['getHandler']>;

/**
 * Names query parameters that have no effect in a header, because they are no error: the official clients may send more
 * than a route knows, but a filter that is misspelt should not pass for one that holds. Routes that read their query
 * themselves are left alone. A DELETE is refused: where a part of its path was lost, the parameters of what was meant
 * remain, and it must not delete what contains it.
 */
@Injectable()
export class IgnoredParametersInterceptor implements NestInterceptor<unknown, unknown> {
  private readonly known = new WeakMap<Handler, ReadonlySet<string> | null>();

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const { method, query } = context.switchToHttp().getRequest<Request>();
    const names = Object.keys(query);
    if (names.length > 0) {
      const known = this.knownTo(context) ?? (method === 'DELETE' ? new Set() : null);
      const ignored = known === null ? [] : names.filter((name) => !known.has(name));
      if (method === 'DELETE' && ignored.length > 0) throw unknownParameters(ignored);
      if (ignored.length > 0)
        context.switchToHttp().getResponse<Response>().setHeader(IGNORED_PARAMETERS, listOf(ignored));
    }
    return next.handle();
  }

  private knownTo(context: ExecutionContext): ReadonlySet<string> | null {
    const handler = context.getHandler();
    let known = this.known.get(handler);
    if (known === undefined)
      this.known.set(handler, (known = parametersOf(context.getClass(), handler.name)));
    return known;
  }
}

/** @returns the names of the query parameters of a handler; `null` when it declares none */
function parametersOf(
  controller: { readonly prototype: object },
  method: string,
): ReadonlySet<string> | null {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Readonly<
    Record<string, { readonly index: number; readonly data?: unknown }>
  >;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype, method) as readonly unknown[];
  const queries = Object.entries(args).filter(([key]) => key.startsWith(`${RouteParamtypes.QUERY}:`));
  if (queries.length === 0) return null;
  return new Set(
    queries.flatMap(([, { index, data }]) =>
      typeof data === 'string' ? [data] : validatedFields(types[index]),
    ),
  );
}

function unknownParameters(names: readonly string[]): InvalidRequestError {
  return invalidFields(
    names.map((field) => {
      const shown = JSON.stringify(field.slice(0, MAX_SHOWN));
      return {
        field: field.slice(0, MAX_SHOWN),
        message: `This DELETE has no parameter ${shown}: nothing was deleted.`,
      };
    }),
  );
}

/** Percent-encoded, in the order of the query, as many as there is room for. */
function listOf(names: readonly string[]): string {
  let list = '';
  for (const name of names.map((each) => encodeURIComponent(each.toWellFormed()))) {
    if (list.length + name.length > MAX_LENGTH) return list === '' ? '...' : `${list}, ...`;
    list += list === '' ? name : `, ${name}`;
  }
  return list;
}
