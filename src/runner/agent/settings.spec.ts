import { readSettings } from './settings.js';

const token = `slr_${'0a'.repeat(24)}`;
const required = { SLIPWAY_URL: 'https://api.example.com/', RUNNER_TOKEN: token };

it('has defaults for all but the address and the token', () => {
  expect(readSettings({ ...required })).toMatchObject({
    url: 'https://api.example.com',
    token,
    slots: 1,
    labels: [],
    platforms: [],
    stacks: [],
    androidHome: null,
    jdkDir: null,
    xcodeDir: '/Applications',
    toolsDir: null,
    memoryMiB: 4096,
    cacheMiB: 2048,
    nodeDir: null,
    nodeDownloads: false,
    trustRepositories: false,
  });
});

it('removes the token from the environment', () => {
  const env: NodeJS.ProcessEnv = { ...required, RUNNER_TOKEN_FILE: '' };
  readSettings(env);
  expect(env).toEqual({ SLIPWAY_URL: required.SLIPWAY_URL });
});

it('reads lists, numbers and the address as a flag', () => {
  const env = {
    ...required,
    RUNNER_SLOTS: '4',
    RUNNER_LABELS: 'large, gpu,large',
    RUNNER_PLATFORMS: 'web,android',
    RUNNER_NPM_REGISTRY: 'https://ada:secret@npm.corp.example.com/npm',
    RUNNER_ALLOW: '10.0.0.0/8,registry.corp.example.com,npm.corp.example.com,fd00::/8',
    RUNNER_GIT_LFS: 'true',
    RUNNER_NODE_DOWNLOADS: 'true',
    RUNNER_ANDROID_HOME: '/opt/android-sdk/',
    RUNNER_JDK_DIR: '/opt/jdks',
  };
  expect(readSettings(env, { url: 'http://localhost:3000', once: true })).toMatchObject({
    url: 'http://localhost:3000',
    slots: 4,
    labels: ['large', 'gpu'],
    platforms: ['android', 'web'],
    allow: ['10.0.0.0/8', 'registry.corp.example.com', 'npm.corp.example.com', 'fd00::/8'],
    npmRegistry: 'https://npm.corp.example.com/npm/',
    gitLfs: true,
    nodeDownloads: true,
    androidHome: '/opt/android-sdk',
    jdkDir: '/opt/jdks',
    once: true,
  });
});

it.each([
  [{ RUNNER_TOKEN: '' }, /RUNNER_TOKEN or RUNNER_TOKEN_FILE is required/],
  [{ RUNNER_TOKEN: 'slp_1' }, /not that of a runner/],
  [{ RUNNER_TOKEN_FILE: '/nowhere' }, /not both/],
  [{ RUNNER_TOKEN: '', RUNNER_TOKEN_FILE: '/nowhere' }, /RUNNER_TOKEN_FILE cannot be read/],
  [{ SLIPWAY_URL: '' }, /SLIPWAY_URL or --url is required/],
  [{ SLIPWAY_URL: 'ftp://example.com' }, /SLIPWAY_URL must be an address/],
  [{ SLIPWAY_URL: 'https://example.com/v1' }, /SLIPWAY_URL must be an address/],
  [{ RUNNER_SLOTS: '0' }, /RUNNER_SLOTS must be a whole number from 1 to 16/],
  [{ RUNNER_MEMORY: '4 GiB' }, /RUNNER_MEMORY must be a whole number/],
  [{ RUNNER_LABELS: 'a b' }, /RUNNER_LABELS must be/],
  [{ RUNNER_PLATFORMS: 'windows' }, /RUNNER_PLATFORMS must be android, ios or web/],
  [
    { RUNNER_NPM_REGISTRY: 'secret.corp.example.com' },
    /^((?!secret).)*RUNNER_NPM_REGISTRY must be((?!secret).)*$/,
  ],
  [{ RUNNER_ALLOW: 'a;b' }, /RUNNER_ALLOW must be/],
  [{ RUNNER_ALLOW: '*.corp.example.com' }, /RUNNER_ALLOW must be/],
  [{ RUNNER_GIT_LFS: 'yes' }, /RUNNER_GIT_LFS must be true or false/],
])('refuses %j in one sentence', (env, message) => {
  expect(() => readSettings({ ...required, ...env })).toThrow(message);
});
