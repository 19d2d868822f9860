import type { Response } from 'supertest';
import type { Api } from '../http/api.js';
import { depth } from '../../setup/depth.js';
import { type OpenApiOperation, readOpenApiPaths } from '../http/openapi-document.js';
import type { Objects } from './objects.js';
import { type Input, publicRows, type Row, rows } from './rows.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A route of `openapi.json`. */
export interface Route {
  /** Such as `GET /v1/apps/{appId}`. */
  readonly name: string;
  readonly method: Method;
  readonly operation: OpenApiOperation;
}

const allRoutes: readonly Route[] = Object.entries(readOpenApiPaths())
  .filter(([path]) => !path.startsWith('/health/'))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method as Method,
      operation,
    })),
  );

const isForMachines = ({ operation }: Route): boolean => operation['x-authenticated-by'] !== undefined;

/** The routes for runners and their jobs, whose tokens no user has. */
export const machineRoutes: readonly Route[] = allRoutes.filter(isForMachines);

/** All routes but those for health, and those for machines. */
export const routes: readonly Route[] = allRoutes.filter((route) => !isForMachines(route));

/** What the routes are about, by the tags of the document: their tests run side by side. */
export const AREAS = {
  accounts: ['Tokens', 'Users', 'Sessions'],
  organizations: [
    'Organizations',
    'Inbox',
    'Members',
    'Invitations',
    'Teams',
    'License keys',
    'Git connections',
    'Audit log',
  ],
  apps: ['Apps', 'Webhooks', 'Events', 'Jobs', 'Runners'],
  'native-builds': ['Builds', 'Automations', 'Environments', 'Certificates', 'Configurations'],
  'live-updates': ['Bundles', 'Channels', 'Deployments', 'Destinations', 'Rollout plans'],
  devices: ['Devices', 'Devices: live updates', 'Decisions', 'Insights'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The routes of an area. */
export function routesOf(area: keyof typeof AREAS): Route[] {
  const tags: readonly string[] = AREAS[area];
  return routes.filter(({ operation }) => operation.tags.some((tag) => tags.includes(tag)));
}

/** Those of an area that this run is about. */
export const chosenRoutesOf = (area: keyof typeof AREAS): readonly Route[] => depth.routes(routesOf(area));

/** What the tests know of a route besides the document. */
export function rowOf({ name }: Route): Row {
  return publicRows[name] ?? rows[name] ?? {};
}

/** A valid input for a call. */
export async function inputFor(route: Route, objects: Objects): Promise<Input> {
  return (await rowOf(route).input?.(objects)) ?? {};
}

/** Sends a call. */
export function sendTo(api: Api, method: Method, path: string, input: Input): Promise<Response> {
  const request = api.request(method, path + (input.query === undefined ? '' : `?${input.query}`));
  if (input.form !== undefined)
    return Promise.resolve(request.set('Content-Type', input.form.contentType).send(input.form.body));
  return Promise.resolve(input.body === undefined ? request : request.send(input.body));
}
