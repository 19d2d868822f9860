import type { DynamicModule, INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import { built, builtApp } from './built-app.js';

/** A route of Express. */
interface Registered {
  readonly method: string;
  /** Such as `/v1/apps/:appId`. */
  readonly path: string;
}

/** Express takes the first route that fits, so `bundles/latest` must come before `bundles/:bundleId`. */
describe('the order of routes', () => {
  it('takes the more specific of two routes first', async () => {
    const app = await builtApp();
    expect(await hiddenRoutes(app)).toEqual([]);
    await app.close();
  });

  it('does not depend on the order of imports', async () => {
    const { AppModule } = await built<typeof import('../../src/app.module.js')>('app.module.js');
    const original = AppModule.with;
    AppModule.with = (config): DynamicModule => {
      const module = original(config);
      return { ...module, imports: module.imports?.toReversed() ?? [] };
    };
    try {
      const app = await builtApp();
      expect(await hiddenRoutes(app)).toEqual([]);
      await app.close();
    } finally {
      AppModule.with = original;
    }
  });
});

/** Routes that no request reaches, because one before them fits, too. */
async function hiddenRoutes(app: INestApplication): Promise<string[]> {
  // A preview has no instances, so Nest cannot register the middleware of modules.
  Object.defineProperty(app, 'registerMiddleware', { value: () => Promise.resolve() });
  await app.init();
  const routes = registered(app.getHttpAdapter().getInstance() as Express);
  expect(routes.length).toBeGreaterThan(100);
  return routes.flatMap(({ method, path }, index) => {
    const fits = (other: Registered): boolean => other.method === method && matches(other.path, path);
    const before = routes.slice(0, index).find(fits);
    return before === undefined ? [] : `${method} ${path} after ${before.path}`;
  });
}

function registered(express: Express): Registered[] {
  return express.router.stack.flatMap(({ route }) => {
    if (route === undefined) return [];
    const [{ method = '' } = {}] = route.stack;
    return { method, path: route.path };
  });
}

/** Whether a route takes every request of another one. */
function matches(pattern: string, path: string): boolean {
  const own = pattern.split('/');
  const others = path.split('/');
  if (own.length !== others.length) return false;
  return own.every((part, index) => part.startsWith(':') || part === others[index]);
}
