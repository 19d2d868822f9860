/**
 * How a command of `@capawesome/cli` works with Slipway:
 *
 * - `works`: with the server;
 * - `local`: without a server;
 * - `retired`: the tool itself no longer runs it;
 * - a request, such as `POST /v1/…`: the command needs it, and Slipway does not have it.
 *
 * `test/clients/cli-commands.spec.ts` runs the commands that work, and `test/architecture/generated-docs.spec.ts`
 * compares the others with the tool and with openapi.json.
 */
export type CliCommandStatus = 'works' | 'local' | 'retired' | `${string} /v1/${string}`;

const app = (path: string): `/v1/${string}` => `/v1/apps/{appId}/${path}`;

/** Every command of the tool, in its order. */
export const cliCommands: Readonly<Record<string, CliCommandStatus>> = {
  whoami: 'works',
  login: 'works',
  logout: 'works',
  doctor: 'local',
  'apps:create': 'works',
  'apps:delete': 'works',
  'apps:get': 'works',
  'apps:link': 'works',
  'apps:list': 'works',
  'apps:transfer': 'works',
  'apps:unlink': 'works',
  ...missing('automations', ['create', 'delete', 'get', 'list', 'update']),
  'apps:builds:cancel': 'works',
  'apps:builds:create': 'works',
  'apps:builds:failure-summary': 'works',
  'apps:builds:get': 'works',
  'apps:builds:list': 'works',
  'apps:builds:logs': 'works',
  'apps:builds:run': 'works',
  'apps:builds:share': 'works',
  'apps:builds:unshare': 'works',
  'apps:builds:download': 'works',
  'apps:bundles:create': 'retired',
  'apps:bundles:delete': 'retired',
  'apps:bundles:update': 'retired',
  'apps:certificates:create': 'works',
  'apps:certificates:delete': 'works',
  'apps:certificates:get': 'works',
  'apps:certificates:list': 'works',
  'apps:certificates:update': 'works',
  'apps:channels:create': 'works',
  'apps:channels:delete': 'works',
  'apps:channels:get': 'works',
  'apps:channels:list': 'works',
  'apps:channels:pause': 'works',
  'apps:channels:resume': 'works',
  'apps:channels:update': 'works',
  'apps:configurations:create': 'works',
  'apps:configurations:delete': 'works',
  'apps:configurations:get': 'works',
  'apps:configurations:list': 'works',
  'apps:configurations:update': 'works',
  'apps:deployments:create': 'works',
  'apps:deployments:cancel': 'works',
  'apps:deployments:failure-summary': 'works',
  'apps:deployments:get': 'works',
  'apps:deployments:list': 'works',
  'apps:deployments:logs': 'works',
  'apps:destinations:create': 'works',
  'apps:destinations:delete': 'works',
  'apps:destinations:get': 'works',
  'apps:destinations:list': 'works',
  'apps:destinations:update': 'works',
  'apps:devices:delete': 'works',
  'apps:devices:forcechannel': 'works',
  'apps:devices:probe': 'works',
  'apps:devices:unforcechannel': 'works',
  'apps:environments:create': 'works',
  'apps:environments:delete': 'works',
  'apps:environments:get': 'works',
  'apps:environments:list': 'works',
  'apps:environments:set': 'works',
  'apps:environments:unset': 'works',
  'apps:liveupdates:bundle': 'local',
  'apps:liveupdates:create': 'works',
  'apps:liveupdates:generatesigningkey': 'local',
  'apps:liveupdates:rollback': 'works',
  'apps:liveupdates:rollout': 'works',
  'apps:liveupdates:upload': 'works',
  'apps:liveupdates:register': 'works',
  'apps:liveupdates:setnativeversions': 'works',
  'apps:liveupdates:generatemanifest': 'local',
  'manifests:generate': 'retired',
  'organizations:create': 'works',
  'organizations:get': 'works',
  'organizations:list': 'works',
};

/** The commands of a collection that Slipway does not have. */
function missing(name: string, verbs: readonly string[]): Record<string, CliCommandStatus> {
  const methods: Readonly<Record<string, string>> = {
    create: `POST ${app(name)}`,
    delete: `DELETE ${app(`${name}/{id}`)}`,
    get: `GET ${app(`${name}/{id}`)}`,
    list: `GET ${app(name)}`,
    update: `PATCH ${app(`${name}/{id}`)}`,
  };
  return Object.fromEntries(verbs.map((verb) => [`apps:${name}:${verb}`, methods[verb] as CliCommandStatus]));
}
