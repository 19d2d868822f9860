import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare } from '../../builders/build-share.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { createDeployment } from '../../builders/deployment.js';
import { createSecret, createVariable } from '../../builders/environment.js';
import { linkRepository } from '../../builders/git-connection.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { createSession } from '../../builders/session.js';
import { assignApp, assignMember, createTeam, type TestTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { createDelivery, createWebhook } from '../../builders/webhook.js';
import { expectCreated } from '../http/expect-created.js';
import { createJob } from '../jobs/leases.js';
import { createFinishedBuild } from '../native-builds/finished-builds.js';
import { startImport } from '../native-builds/imports.js';
import { announceSource, uploadSource } from '../native-builds/sources.js';
import { fileParts, form, send } from '../http/multipart.js';
import { uniqueName } from '../unique-name.js';
import { asParent } from '../resources/parents.js';
import { parameterOf, type Parent, type Resource } from '../resources/resource.js';
import { resources } from '../resources/resources.js';
import type { World } from './world.js';

/** The objects of one path. */
export interface Objects {
  readonly world: World;
  readonly route: string;
  /** By name of the parameter. */
  readonly ids: Record<string, string>;
  app: TestApp;
  team: TestTeam;
  bundle: TestBundle | null;
}

/** Makes one, in what the parameters before it have made. @returns its id */
type Maker = (objects: Objects) => Promise<string>;

/** Path parameters that the registry of resources does not know, or that take more than its `make`. */
const makers: Readonly<Record<string, Maker>> = {
  organizationId: ({ world }) => Promise.resolve(world.tenant.organizationId),
  appId: async (objects) => {
    const { tenant, team } = objects.world;
    objects.app = await createApp(tenant);
    await assignApp(tenant, team, objects.app.id);
    return objects.app.id;
  },
  buildSourceId: ({ app, route }) => (route.includes('/upload') ? announcedSource(app) : uploadSource(app)),
  buildId: async (objects) => {
    if (objects.route.includes('{buildArtifactId}/upload')) return startedImport(objects);
    if (objects.route.includes('{buildArtifactId}/icon')) return buildWithIcon(objects);
    return (objects.bundle = await uploadBundle(objects.app)).buildId;
  },
  buildArtifactId: async ({ bundle, ids }) => ids['buildArtifactId'] ?? bundle?.id ?? '',
  buildShareId: async (objects) => (await createBuildShare(objects.app, await sharableBuild(objects))).id,
  bundleId: async (objects) => {
    objects.bundle = objects.route.includes('/files')
      ? await createBundle(objects.app, { artifactType: 'zip' })
      : await uploadBundle(objects.app);
    return objects.bundle.id;
  },
  auditEventId: async ({ world }) => {
    const { organizationId, owner } = world.tenant;
    const { body } = await owner.api.get(`/v1/organizations/${organizationId}/audit-events?limit=1`);
    return (body as { id: string }[])[0]?.id ?? '';
  },
  bundleFileId: async ({ app, ids }) => {
    const announcement = form(fileParts('zip').filter(({ name }) => name !== 'file'));
    const path = `${app.path}/bundles/${ids['bundleId']}/files`;
    return expectCreated<{ id: string }>(await send(app.api, 'post', path, announcement)).id;
  },
  provider: () => Promise.resolve('git_http'),
  gitHookId: async (objects) => {
    const app = await createApp(objects.world.tenant);
    await linkRepository(app, null, { provider: 'git_http' });
    const { body } = await app.api.post(`${app.path}/repository/hook/rotate-secret`);
    return (body as { address: string }).address.split('/').at(-1) ?? '';
  },
  environmentVariableId: async ({ app, ids }) => (await createVariable(app, ids['environmentId'] ?? '')).id,
  environmentSecretId: async ({ app, ids }) => (await createSecret(app, ids['environmentId'] ?? '')).id,
  jobId: ({ app, route }) =>
    createJob(app, route.endsWith('/failure-summary') ? { status: 'failed', finished_at: 'now()' } : {}),
  deploymentId: async ({ app }) => (await createDeployment(app)).id,
  invitationId: ({ route, world }) =>
    route.includes('/v1/invitations/') ? inviteOwner(world) : inviteGuest(world),
  memberId: async ({ world }) => (await createMember(world.tenant, 'viewer')).memberId,
  teamId: async (objects) => (objects.team = await createTeam(objects.world.tenant)).id,
  teamAppId: ({ world, team }) => assignApp(world.tenant, team, world.app.id),
  teamMemberId: ({ world, team }) => assignMember(world.tenant, team, world.memberId),
  sessionId: ({ world }) => createSession(world.tenant.owner.userId),
  webhookId: (objects) => makeWebhook(objects),
  webhookDeliveryId: ({ ids }) => createDelivery(ids['webhookId'] ?? ''),
  // A token of the owner, without limits.
  tokenId: async ({ world }) => (await createToken(world.tenant.owner.api)).id,
};

/**
 * Makes an object for every parameter of a path.
 *
 * @param route such as `GET /v1/apps/{appId}`
 */
export async function makeObjects(world: World, route: string): Promise<Objects> {
  const objects: Objects = {
    world,
    route,
    ids: {},
    app: world.app,
    team: world.team,
    bundle: null,
  };
  for (const name of parametersOf(route)) {
    objects.ids[name] = await (makers[name] ?? makerOf(name, route))(objects);
  }
  return objects;
}

/** Makes what the registry describes. Apps and organizations may have resources of one name. */
function makerOf(parameter: string, route: string): Maker {
  const known = resources.filter((resource) => parameterOf(resource) === parameter);
  const resource = known.find((each) => route.includes(`${each.parent.path}/${each.name}/`)) ?? known[0];
  if (resource === undefined) throw new Error(`Neither objects.ts nor resources.ts makes a ${parameter}.`);
  return (objects) => resource.make(parentOf(resource, objects));
}

/** What a resource of a path belongs to. */
export function parentOf({ parent }: Resource, { app, world }: Objects): Parent {
  return parent.idField === 'appId' ? app : asParent(world.tenant);
}

/** The path with the objects in it. */
export function pathOf({ route, ids }: Objects): string {
  return route.replace(/^\S+ /, '').replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
}

/** Names of the parameters of a path. */
export function parametersOf(route: string): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The build of the path, or one with a file and an icon. */
async function sharableBuild(objects: Objects): Promise<string> {
  return objects.ids['buildId'] ?? buildWithIcon(objects);
}

async function buildWithIcon(objects: Objects): Promise<string> {
  const { id, artifactIds } = await createFinishedBuild(objects.app, [
    { type: 'apk', details: { icon: true } },
  ]);
  objects.ids['buildArtifactId'] = artifactIds[0] ?? '';
  return id;
}

/** A webhook of what the path is about. Nothing listens at its address: some routes send to it. */
async function makeWebhook({ app, world, route }: Objects): Promise<string> {
  const owner = route.includes('/v1/apps/') ? app : asParent(world.tenant);
  return (await createWebhook(owner, { url: 'http://127.0.0.1:9/', events: ['app_channel_paused'] })).id;
}

/** An invitation of the owner to an organization that it is not in. */
async function inviteOwner({ tenant }: World): Promise<string> {
  const { organizationId, owner } = await createTenant();
  const body = { email: tenant.owner.email, role: 'viewer' };
  const path = `/v1/organizations/${organizationId}/invitations`;
  return expectCreated<{ id: string }>(await owner.api.post(path, body)).id;
}

async function inviteGuest({ tenant }: World): Promise<string> {
  const body = { email: `${uniqueName('guest')}@example.com`, role: 'viewer' };
  const path = `/v1/organizations/${tenant.organizationId}/invitations`;
  return expectCreated<{ id: string }>(await tenant.owner.api.post(path, body)).id;
}

/** An import that waits for its bytes. @returns the id of its build */
async function startedImport({ app, ids }: Objects): Promise<string> {
  const { id, appBuildArtifactId } = await startImport(app, Buffer.from('apk'));
  ids['buildArtifactId'] = appBuildArtifactId;
  return id;
}

/** A source whose bytes were not uploaded. */
async function announcedSource(app: TestApp): Promise<string> {
  return (await announceSource(app, 1000)).split('/').at(-1) ?? '';
}
