import type { INestApplication, Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { accountPermissions, rolePermissions } from '../../src/common/access/permissions.js';
import { documentedFields } from '../../src/common/openapi/documented-fields.js';
import { builtApp, type Route, routesOf } from './built-app.js';

describe('every route', () => {
  let app: INestApplication;
  let routes: Route[];

  beforeAll(async () => {
    app = await builtApp();
    routes = await routesOf(app);
  });

  afterAll(() => app.close());

  /** Names of the routes that break a rule: none. */
  const breaking = (rule: (route: Route) => boolean): string[] =>
    routes.filter((route) => !rule(route)).map(({ name }) => name);
  // Jobs belong to an app; their list names the organization in the query.
  const hasOwner = ({ path }: Route): boolean =>
    /\/:(appId|organizationId|jobId)(\/|$)/.test(path) || path === '/jobs';

  it('is found by these tests', () => {
    expect(routes.length).toBeGreaterThan(30);
    expect(routes.map(({ name }) => name)).toContain('ChannelsController.list');
    expect(routes.flatMap(({ inputs }) => inputs).length).toBeGreaterThan(20);
  });

  it('is public, requires a permission, or is for machines', () => {
    const rule = ({ isPublic, permission, authenticatedBy }: Route): boolean =>
      [isPublic, permission !== undefined, authenticatedBy !== undefined].filter(Boolean).length === 1;
    expect(breaking(rule)).toEqual([]);
  });

  it('for machines has the guard of their token, and no other has one', () => {
    const guards: Readonly<Record<string, string>> = { RunnerTokenGuard: 'runner', JobTokenGuard: 'job' };
    const rule = (route: Route): boolean => {
      const accepted = route.guards.flatMap((guard) => guards[guard] ?? []);
      return accepted.join() === (route.authenticatedBy ?? '');
    };
    expect(breaking(rule)).toEqual([]);
  });

  it('requires a permission that there is', () => {
    const known: readonly string[] = [...rolePermissions, ...accountPermissions];
    expect(breaking(({ permission }) => permission === undefined || known.includes(permission))).toEqual([]);
  });

  it('below an app or an organization requires a permission of a role there, and no other does', () => {
    const roles: readonly string[] = rolePermissions;
    const rule = (route: Route): boolean =>
      route.permission === undefined || hasOwner(route) === roles.includes(route.permission);
    expect(breaking(rule)).toEqual([]);
  });

  it('is limited by its caller, but for these', () => {
    const of = (limit: string): string[] =>
      routes
        .filter(({ rateLimit }) => rateLimit === limit)
        .map(({ name }) => name)
        .sort();
    expect(of('none')).toEqual([
      'BuildSourcesController.postUpload',
      'BuildSourcesController.putPart',
      'BundleFilesController.create',
      'BundleFilesController.postUpload',
      'BundleFilesController.putPart',
      'ConsoleController.send',
      'ConsoleController.sendLicenses',
      'HealthController.live',
      'HealthController.ready',
      'HookDeliveriesController.receive',
      'ImportsController.postUpload',
      'ImportsController.putPart',
      'StylesheetController.getIcon',
      'StylesheetController.getStylesheet',
      'StylesheetController.getTokens',
    ]);
    expect(of('devices')).toEqual([
      'BundleDownloadsController.download',
      'BundleDownloadsController.downloadNamed',
      'ChannelsController.list',
      'DeltasController.get',
      'GeneratedZipsController.get',
      'UpdateCheckController.check',
    ]);
    expect(of('sign-in')).toEqual([
      'BuildSharePageController.unlock',
      'ConfirmController.send',
      'DeviceController.send',
      'ForgotController.send',
      'JoinPageController.send',
      'LoginController.send',
      'LoginController.sendCode',
      'OidcController.link',
      'SessionCodesController.create',
      'SharedBuildsController.unlock',
      'SignInLinksController.send',
    ]);
    expect(of('sign-in-polling')).toEqual(['SessionCodesController.exchange']);
  });

  it('validates its body and its query as a whole, by a class', () => {
    const rule = ({ inputs }: Route): boolean =>
      inputs.every(({ type, field }) => field === undefined && type !== undefined && isValidated(type));
    expect(breaking(rule)).toEqual([]);
  });

  it('validates every field that it documents, since others are dropped', () => {
    const classes = new Set(routes.flatMap(({ inputs }) => inputs.map(({ type }) => type as Type)));
    const unvalidated = [...classes].flatMap((type) => {
      const validated = new Set(validatorsOf(type).map(({ propertyName }) => propertyName));
      return documentedFields(type)
        .filter((field) => !validated.has(field))
        .map((field) => `${type.name}.${field}`);
    });
    expect(unvalidated).toEqual([]);
  });
});

/** A type-only import leaves `Object` or `Function` behind, which nothing is validated against. */
function isValidated(type: Type): boolean {
  return (
    ![Object, Function, Array, String, Number, Boolean].includes(type as never) &&
    validatorsOf(type).length > 0
  );
}

function validatorsOf(type: Type): { propertyName: string }[] {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}
