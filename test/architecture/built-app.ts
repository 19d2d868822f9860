import { join } from 'node:path';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { pino } from 'pino';

const dist = join(import.meta.dirname, '../../dist/src');

/** The names under which Nest keeps what decorators say; it exports them for itself only. */
const PATH_METADATA = 'path';
const METHOD_METADATA = 'method';
const GUARDS_METADATA = '__guards__';
const ROUTE_ARGS_METADATA = '__routeArguments__';
/** Nest's numbers for `@Body()` and `@Query()`. */
const BODY = 3;
const QUERY = 4;

/** A handler of a route, and what its decorators say. */
export interface Route {
  /** Such as `ChannelsController.list`. */
  readonly name: string;
  /** Such as `/apps/:appId/channels`. */
  readonly path: string;
  readonly permission: string | undefined;
  readonly isPublic: boolean;
  /** What `@AuthenticatedBy()` says. */
  readonly authenticatedBy: string | undefined;
  /** Names of the guards of the controller and the handler. */
  readonly guards: readonly string[];
  /** What `@RateLimit()` says. */
  readonly rateLimit: string | undefined;
  /** The run-time classes of its `@Body()` and `@Query()` parameters, and the name that picks a single field. */
  readonly inputs: readonly { readonly type: Type | undefined; readonly field: unknown }[];
}

/** Builds the compiled application without connecting to anything. */
export async function builtApp(): Promise<INestApplication> {
  const { createApp } = await built<typeof import('../../src/create-app.js')>('create-app.js');
  const { Config } = await built<typeof import('../../src/config/config.js')>('config/config.js');
  return createApp(new Config(), pino({ level: 'silent' }), { preview: true });
}

/** The OpenAPI document as `npm run openapi` writes it. */
export async function builtDocument(app: INestApplication): Promise<OpenAPIObject> {
  const { createDocument } = await built<typeof import('../../src/docs/document.js')>('docs/document.js');
  return JSON.parse(JSON.stringify(createDocument(app))) as OpenAPIObject;
}

/** A module of the compiled server, which does not exist yet when the tests are type-checked. */
export async function built<T>(path: string): Promise<T> {
  return (await import(join(dist, path))) as T;
}

/** All routes of the application. */
export async function routesOf(app: INestApplication): Promise<Route[]> {
  const { PUBLIC, REQUIRES } = await built<typeof import('../../src/common/access/requires.decorator.js')>(
    'common/access/requires.decorator.js',
  );
  const { RATE_LIMIT } = await built<typeof import('../../src/common/access/rate-limit.decorator.js')>(
    'common/access/rate-limit.decorator.js',
  );
  const { AUTHENTICATED_BY } = await built<
    typeof import('../../src/common/access/authenticated-by.decorator.js')
  >('common/access/authenticated-by.decorator.js');
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return [...new Set(controllers)].flatMap((controller) => {
    const prototype = controller.prototype as Record<string, unknown>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = name === 'constructor' ? undefined : (prototype[name] as object);
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
      return {
        name: `${controller.name}.${name}`,
        path: pathOf(controller, handler),
        permission: Reflect.getMetadata(REQUIRES, handler) as string | undefined,
        rateLimit: Reflect.getMetadata(RATE_LIMIT, handler) as string | undefined,
        authenticatedBy: Reflect.getMetadata(AUTHENTICATED_BY, handler) as string | undefined,
        guards: guardsOf(controller, handler),
        isPublic: Reflect.getMetadata(PUBLIC, handler) === true,
        inputs: inputsOf(controller, name),
      };
    });
  });
}

function pathOf(controller: Type, handler: object): string {
  const parts = [controller, handler].map((target) => Reflect.getMetadata(PATH_METADATA, target) as string);
  return `/${parts.join('/')}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
}

function guardsOf(controller: Type, handler: object): string[] {
  const guards = [controller, handler].flatMap(
    (target) => (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as Type[],
  );
  return guards.map(({ name }) => name);
}

function inputsOf(controller: Type, handler: string): Route['inputs'] {
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) ??
    []) as Type[];
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    { index: number; data?: unknown; pipes?: readonly { dto?: Type }[] }
  >;
  return (
    Object.entries(args)
      .filter(([key]) => [BODY, QUERY].includes(Number(key.split(':')[0])))
      // A body that is a list is validated by the class of its `ListBodyPipe`.
      .map(([, { index, data, pipes }]) => ({ type: pipes?.[0]?.dto ?? types[index], field: data }))
  );
}
