import { buildEnvironment } from './open-project.js';

const inner = { repo: '/work/repo', home: '/work/home', cache: '/work/cache' };
const node = { major: 24, version: '24.0.0', path: '/opt/node/bin/node' };

let lines: string[];
beforeEach(() => {
  lines = [];
});

function environmentOf(
  environment: Record<string, string>,
  secrets: Record<string, string> = {},
  commit: { sha: string; message: string } | null = null,
): Record<string, string> {
  return buildEnvironment({ environment, secrets }, inner, node, commit, {
    line: (text) => void lines.push(text),
  });
}

describe('buildEnvironment', () => {
  it('lets secrets win over variables, and the facts of the build over both', () => {
    const env = environmentOf(
      { CI: 'true', CI_BUILD_NUMBER: '4', API: 'variable', PATH: '/evil', HOME: '/evil' },
      { API: 'secret', CI_BUILD_NUMBER: '5', CI_OWN: 'x', PATH: '/evil' },
    );
    expect(env).toMatchObject({ CI: 'true', CI_BUILD_NUMBER: '4', API: 'secret', HOME: '/work/home' });
    expect(env['PATH']).toMatch(/^\/opt\/node\/bin:\/usr\/local\/bin:/);
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
    const env = buildEnvironment(
      { environment, secrets },
      inner,
      node,
      null,
      { line: (text) => void lines.push(text) },
      'http://10.1.2.3:4873/',
    );
    const { npm_config_registry: registry } = { ...env, ...environment } as Record<string, string>;
    expect(registry).toBe(expected ?? (environment as Record<string, string>)['npm_config_registry']);
    expect(lines).toEqual(expected === undefined ? [] : ['npm gets packages from http://10.1.2.3:4873/']);
  });
});
