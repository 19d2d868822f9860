import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManagerSettings } from './run-manager.js';

const required = {
  SLIPWAY_URL: 'https://api.example.com',
  RUNNER_TOKEN: `slr_${'0a'.repeat(24)}`,
  RUNNER_POD_IMAGE: 'slipway-runner:1',
  KUBERNETES_SERVICE_HOST: 'fd00::1',
  KUBERNETES_SERVICE_PORT: '6443',
};
const folder = mkdtempSync(join(tmpdir(), 'slipway-template-'));
afterAll(() => rmSync(folder, { recursive: true }));

function templateOf(text: string): string {
  const path = join(folder, 'template.json');
  writeFileSync(path, text);
  return path;
}

it('finds the API of its cluster', async () => {
  const { access, pod } = await readManagerSettings({ ...required });
  expect(access.url).toBe('https://[fd00::1]:6443');
  expect(pod).toMatchObject({
    agentImage: 'slipway-runner:1',
    buildImage: 'slipway-runner:1',
    cpu: '2',
    template: {},
  });
  expect(JSON.stringify(pod)).not.toContain(required.RUNNER_TOKEN);
});

it('gives agents the settings of the tools that they fetch', async () => {
  const settings = {
    RUNNER_NODE_DOWNLOADS: 'true',
    RUNNER_NPM_REGISTRY: 'https://ada:secret@npm.example.com',
  };
  const { pod } = await readManagerSettings({ ...required, ...settings });
  expect(pod.env).toMatchObject({
    RUNNER_NODE_DOWNLOADS: 'true',
    RUNNER_NPM_REGISTRY: 'https://npm.example.com/',
  });
});

it('takes where pods run from a file', async () => {
  const RUNNER_POD_TEMPLATE = templateOf('{"nodeSelector":{"pool":"builds"}}');
  const { pod } = await readManagerSettings({ ...required, RUNNER_POD_TEMPLATE });
  expect(pod.template).toEqual({ nodeSelector: { pool: 'builds' } });
});

it.each([
  [{ RUNNER_POD_IMAGE: '' }, 'RUNNER_POD_IMAGE is required'],
  [{ RUNNER_POD_CPU: 'two' }, 'RUNNER_POD_CPU must be a number of cores'],
  [{ KUBERNETES_SERVICE_HOST: '' }, 'This is no pod of Kubernetes'],
  [{ RUNNER_POD_TEMPLATE: '/nowhere' }, 'RUNNER_POD_TEMPLATE: ENOENT'],
])('refuses %j in one sentence', async (env, message) => {
  await expect(readManagerSettings({ ...required, ...env })).rejects.toThrow(message);
});

it.each([
  ['[]', 'must be a JSON object'],
  ['{"hostNetwork":true}', 'may not set "hostNetwork"'],
  ['{"containers":[]}', 'may not set "containers"'],
  ['{"serviceAccountName":"admin"}', 'may not set "serviceAccountName"'],
])('refuses the template %s', async (text, message) => {
  const RUNNER_POD_TEMPLATE = templateOf(text);
  await expect(readManagerSettings({ ...required, RUNNER_POD_TEMPLATE })).rejects.toThrow(message);
});
