import { buildEnvironment } from './open-project.js';
import type { ManagerSettings } from './packages/manager-environment.js';
import type { PackageManager } from './packages/managers.js';

const inner = { repo: '/work/repo', home: '/work/home', cache: '/work/cache' };
const node = { major: 24, version: '24.0.0', path: '/opt/node/bin/node' };

const npm: PackageManager = {
  name: 'npm',
  version: null,
  because: null,
  isDeclared: false,
  root: '',
  lock: null,
  program: null,
  sha512: null,
};

function settings(values: Partial<ManagerSettings> = {}): ManagerSettings {
  const files = { ownVariables: new Set<string>(), namesRetries: false, hasYarnCache: false };
  return { manager: npm, bin: null, registry: null, files, ...values };
}

let lines: string[];
beforeEach(() => {
  lines = [];
});

function environmentOf(
  environment: Record<string, string>,
  secrets: Record<string, string> = {},
  commit: { sha: string; message: string } | null = null,
  values: Partial<ManagerSettings> = {},
): Record<string, string> {
  const log = { line: (text: string) => void lines.push(text) };
  return buildEnvironment({ environment, secrets }, inner, node, commit, log, settings(values));
}

describe('buildEnvironment', () => {
  it('lets secrets win over variables, and the facts of the build over both', () => {
    const env = environmentOf(
      { CI: 'true', CI_BUILD_NUMBER: '4', API: 'variable', PATH: '/evil', HOME: '/evil' },
      { API: 'secret', CI_BUILD_NUMBER: '5', CI_OWN: 'x', PATH: '/evil' },
    );
    expect(env).toMatchObject({ CI: 'true', CI_BUILD_NUMBER: '4', API: 'secret', HOME: '/work/home' });
    expect(env['PATH']).toMatch(/:\/opt\/node\/bin:\/usr\/local\/bin:/);
    expect(env).not.toHaveProperty('CI_OWN');
  });

  it('leaves out what was stored before it was reserved, and says so once', () => {
    const own = JSON.parse(
      '{"__proto__": "x", "LD_PRELOAD": "x", "HOME": "x", "CI_APP_ID": "1", "API": "x"}',
    );
    const env = environmentOf(own as Record<string, string>, {
      LD_PRELOAD: 'y',
      DYLD_LIBRARY_PATH: 'y',
      CI_X: 'y',
    });
    expect(env).toMatchObject({ API: 'x', HOME: '/work/home', CI_APP_ID: '1' });
    for (const name of ['LD_PRELOAD', 'DYLD_LIBRARY_PATH', 'CI_X', '__proto__']) {
      expect(Object.hasOwn(env, name)).toBe(false);
    }
    expect(lines).toEqual(
      ['__proto__', 'LD_PRELOAD', 'HOME', 'DYLD_LIBRARY_PATH', 'CI_X'].map(
        (name) => `The variable ${name} is reserved for the runner, so the build does not get it`,
      ),
    );
  });

  it('fills in the commit where the API does not know it', () => {
    const commit = { sha: 'abc', message: 'Fix' };
    expect(environmentOf({ CI_GIT_COMMIT_MESSAGE: '' }, {}, commit)).toMatchObject({
      CI_GIT_COMMIT_SHA: 'abc',
      CI_GIT_COMMIT_MESSAGE: 'Fix',
    });
    expect(environmentOf({ CI_GIT_COMMIT_MESSAGE: 'Given' }, {}, commit)).toMatchObject({
      CI_GIT_COMMIT_MESSAGE: 'Given',
    });
  });

  it('lets a project choose the folders of its package manager', () => {
    expect(environmentOf({})['npm_config_cache']).toBe('/work/cache/packages/npm');
    expect(environmentOf({ npm_config_cache: '/own' })['npm_config_cache']).toBe('/own');
  });

  it.each([
    [{}, {}, 'http://10.1.2.3:4873/'],
    [{ npm_config_registry: 'http://own/' }, {}, undefined],
    [{}, { NPM_CONFIG_REGISTRY: 'http://own/' }, undefined],
  ])('has the registry of the operator unless it names one: %j, %j', (environment, secrets, expected) => {
    const env = environmentOf(environment, secrets, null, { registry: 'http://10.1.2.3:4873/' });
    const { npm_config_registry: registry } = { ...env, ...environment } as Record<string, string>;
    expect(registry).toBe(expected ?? (environment as Record<string, string>)['npm_config_registry']);
    expect(lines).toEqual(expected === undefined ? [] : ['npm gets packages from http://10.1.2.3:4873/']);
  });

  it('names the registry of the operator to each package manager, unless the project names one', () => {
    const registry = 'http://10.1.2.3:4873/npm/';
    const all = {
      npm_config_registry: registry,
      pnpm_config_registry: registry,
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_UNSAFE_HTTP_WHITELIST: '10.1.2.3',
    };
    expect(environmentOf({}, {}, null, { registry })).toMatchObject(all);
    const own = { ...settings().files, ownVariables: new Set(['YARN_NPM_REGISTRY_SERVER']) };
    const env = environmentOf({}, {}, null, { registry, files: own });
    expect(env).not.toHaveProperty('YARN_NPM_REGISTRY_SERVER');
    expect(environmentOf({}, {}, null, { registry: 'https://npm/' })).not.toHaveProperty(
      'YARN_UNSAFE_HTTP_WHITELIST',
    );
  });

  it.each<[boolean, readonly string[]]>([
    [true, ['/tools/pnpm', '/work/home/.global/bin', '/work/home/.global', '/opt/node/bin']],
    [false, ['/work/home/.global/bin', '/work/home/.global', '/tools/pnpm', '/opt/node/bin']],
  ])('finds what commands install before what only a lock file asks for: %s', (isDeclared, expected) => {
    const manager: PackageManager = { ...npm, name: 'pnpm', version: '10.1.0', isDeclared };
    const env = environmentOf({}, {}, null, { manager, bin: '/tools/pnpm' });
    expect(env['PATH']?.split(':').slice(0, 4)).toEqual(expected);
    expect(env).toMatchObject({
      npm_config_prefix: '/work/home/.global',
      PNPM_HOME: '/work/home/.global',
      npm_config_store_dir: '/work/cache/packages/pnpm/store',
      pnpm_config_store_dir: '/work/cache/packages/pnpm/store',
    });
    expect(environmentOf({})).not.toHaveProperty('npm_config_store_dir');
  });

  it('asks a registry again after short pauses, unless the project says how', () => {
    expect(environmentOf({})).toMatchObject({
      npm_config_fetch_retries: '3',
      pnpm_config_fetch_retries: '3',
    });
    expect(environmentOf({ NPM_CONFIG_FETCH_RETRIES: '5' })).not.toHaveProperty('npm_config_fetch_retries');
  });

  it('leaves Yarn the packages that the project has', () => {
    expect(environmentOf({})['YARN_CACHE_FOLDER']).toBe('/work/cache/packages/yarn');
    const files = { ...settings().files, hasYarnCache: true };
    expect(environmentOf({}, {}, null, { files })).not.toHaveProperty('YARN_CACHE_FOLDER');
  });
});
