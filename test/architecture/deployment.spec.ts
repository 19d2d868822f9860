import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { dockerfile, image, manifest, podsOf, services } from '../../deploy/files.js';
import { Config } from '../../src/config/config.js';
import { envVariablesOf } from '../../src/config/env.decorator.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const { postgres, migrate, api } = services;
const server = podsOf('deployment');
const migration = podsOf('migrate-job');
const configMap = manifest<{ data: Record<string, string> }>('configmap').data;
const secret = manifest<{ stringData: Record<string, string> }>('secret.example').stringData;
const envOfPods = [...server.container.env, ...migration.container.env];

const { port } = new Config().http;
const LIVE = '/health/live';
const READY = '/health/ready';
/** In seconds: Node refuses a request that takes longer to arrive. */
const LONGEST_UPLOAD = createServer().requestTimeout / 1000;

const inDockerfile = (keyword: string): (string | null)[] =>
  image.instructions.flatMap((it) => (it.getKeyword() === keyword ? it.getArgumentsContent() : []));

it('runs the bundle that `slipway` is, with its chunks', () => {
  const { bin } = JSON.parse(read('package.json')) as { bin: { slipway: string } };
  expect(image.entrypoint.at(-1)).toBe(bin.slipway);
  expect(read('scripts/bundle.ts')).toContain("slipway: join(dist, 'src/main.js')");
  const copied = dockerfile.getCOPYs().map((copy) => copy.getArgumentsContent());
  for (const path of ['dist/slipway.js', 'dist/chunks/'])
    expect(copied.some((paths) => paths?.includes(`/app/${path}`))).toBe(true);
});

it('migrates a healthy database by the same image before the server starts', () => {
  const healthy = { postgres: { condition: 'service_healthy' } };
  const migrated = { migrate: { condition: 'service_completed_successfully' } };
  expect(postgres.healthcheck).toBeDefined();
  expect(migrate).toMatchObject({ image: api.image, depends_on: healthy, restart: 'no' });
  expect(api).toMatchObject({ depends_on: { ...healthy, ...migrated } });
  expect(migration.container).toMatchObject({ image: server.container.image, args: migrate.command });
  expect(manifest('kustomization')).toMatchObject({ images: [{ name: server.container.image }] });
});

it('builds with the Node version of the tests, from the files that COPY names and no others', () => {
  const bases = new Set(dockerfile.getFROMs().map((from) => from.getImage()?.split('-', 1)[0]));
  expect([...bases]).toEqual([`node:${process.versions.node.split('.')[0]}`]);
  const copied = dockerfile
    .getCOPYs()
    .flatMap((copy) => (copy.getFromFlag() === null ? copy.getArguments().slice(0, -1) : []))
    .map((path) => `!${path.getValue().replace(/\/$/, '')}`);
  const [everything, ...patterns] = read('.dockerignore').match(/^[^#\s].*$/gm) ?? [];
  expect(everything).toBe('*');
  expect(new Set(patterns.filter((pattern) => pattern.startsWith('!')))).toEqual(new Set(copied));
});

it('runs without root, capabilities and a writable root file system', () => {
  expect(inDockerfile('USER')).toEqual(['node']);
  expect(image.entrypoint[0]).toBe('node');
  const confined = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
  for (const service of [migrate, api]) expect(service).toMatchObject(confined);
  expect(postgres).not.toHaveProperty('ports');
  const securityContext = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  const spec = {
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ securityContext, resources: { limits: { memory: expect.any(String) } } }],
  };
  for (const { pod } of [server, migration]) expect(pod).toMatchObject({ spec });
});

it('uses the ports and health checks that the server has', () => {
  const { paths } = JSON.parse(read('openapi.json')) as { paths: object };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining([LIVE, READY]));
  expect(inDockerfile('EXPOSE')).toEqual([String(port)]);
  expect(image.healthCheck.join(' ')).toContain(`(process.env.PORT || ${port}) + '${LIVE}'`);
  expect(api.ports).toEqual([`\${PORT:-${port}}:${port}`]);
  expect(api.healthcheck.test.join(' ')).toContain(`:${port}${READY}`);
  expect(server.container).toMatchObject({
    ports: [
      { name: 'http', containerPort: port },
      { name: 'metrics', containerPort: Number(configMap['METRICS_PORT']) },
    ],
    startupProbe: { httpGet: { path: LIVE, port: 'http' } },
    livenessProbe: { httpGet: { path: LIVE, port: 'http' } },
    readinessProbe: { httpGet: { path: READY, port: 'http' } },
  });
  const annotations = { 'prometheus.io/port': configMap['METRICS_PORT'] };
  expect(server.pod).toMatchObject({ metadata: { annotations } });
  expect(manifest('service')).toMatchObject({ spec: { ports: [{ targetPort: 'http' }] } });
});

it('sets only variables that the program reads and the docs list', () => {
  const variables = Object.values(new Config()).flatMap((section: object) =>
    [...envVariablesOf(section).values()].map(({ name }) => name),
  );
  expect(migrate.environment).toEqual(api.environment);
  const set = [api.environment, configMap, secret].flatMap((values) => Object.keys(values));
  for (const name of [...set, ...envOfPods.map(({ name }) => name)]) expect(variables).toContain(name);
  const page = read('docs/deployment.md') + read('docs/configuration.md');
  for (const [, name] of read('docker-compose.yml').matchAll(/\$\{(\w+)/g))
    expect(page).toContain(`\`${name}\``);
});

it('requires the secrets and contains none', () => {
  for (const name of ['ENCRYPTION_KEY', 'BOOTSTRAP_EMAIL', 'BOOTSTRAP_TOKEN'])
    expect(api.environment[name]).toMatch(/^\$\{\w+:\?.{20,}\}$/);
  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: name } = postgres.environment;
  expect(api.environment['DATABASE_URL']).toBe(`postgres://${user}:${password}@postgres:5432/${name}`);
  for (const { name, valueFrom } of envOfPods) expect(valueFrom.secretKeyRef.key).toBe(name);
  const required = envOfPods.filter(({ valueFrom }) => valueFrom.secretKeyRef.optional !== true);
  const secrets = ['DATABASE_URL', 'ENCRYPTION_KEY'];
  expect(required.map(({ name }) => name)).toEqual([...secrets, ...secrets]);
  expect(secret).toEqual(Object.fromEntries(envOfPods.map(({ name }) => [name, ''])));
  expect(Object.keys(configMap).filter((name) => name in secret)).toEqual([]);
});

it('gives the longest upload time to finish at shutdown', () => {
  const [, minutes, seconds] = /^(\d+)m(\d+)s$/.exec(api.stop_grace_period) ?? [];
  expect(60 * Number(minutes) + Number(seconds)).toBeGreaterThan(LONGEST_UPLOAD);
  const { terminationGracePeriodSeconds: grace } = server.pod.spec;
  expect(grace).toBeGreaterThan(Number(configMap['SHUTDOWN_DELAY_SECONDS']) + LONGEST_UPLOAD);
});

it('keeps files on a volume that one pod mounts at a time', () => {
  const { DATA_DIR } = image.env;
  expect(inDockerfile('VOLUME')).toEqual([DATA_DIR]);
  expect(api).toMatchObject({ environment: { DATA_DIR }, volumes: [`data:${DATA_DIR}`] });
  expect(configMap).toMatchObject({ DATA_DIR });
  // Older versions of the image store their data in another folder.
  expect(postgres).toMatchObject({ image: 'postgres:18', volumes: ['postgres:/var/lib/postgresql'] });
  const { metadata, spec } = manifest<{ metadata: { name: string }; spec: object }>('pvc');
  expect(spec).toMatchObject({ accessModes: ['ReadWriteOnce'] });
  const volume = { name: 'data', persistentVolumeClaim: { claimName: metadata.name } };
  expect(server.pod.spec).toMatchObject({ volumes: expect.arrayContaining([volume]) });
  expect(server.container).toMatchObject({
    volumeMounts: expect.arrayContaining([{ name: 'data', mountPath: DATA_DIR }]),
  });
  expect(manifest('deployment')).toMatchObject({ spec: { replicas: 1, strategy: { type: 'Recreate' } } });
});

it('connects the Kubernetes objects by labels and names that exist', () => {
  const { labels } = server.pod.metadata;
  const selectorOf = (name: string) => manifest<{ spec: { selector: object } }>(name).spec.selector;
  expect(selectorOf('service')).toEqual(labels);
  for (const name of ['deployment', 'pod-disruption-budget'])
    expect(selectorOf(name)).toEqual({ matchLabels: labels });
  expect(migration.pod.metadata.labels).not.toEqual(labels);
  const envFrom = [{ configMapRef: { name: 'slipway' } }];
  for (const { pod } of [server, migration])
    expect(pod.spec).toMatchObject({ serviceAccountName: 'slipway', containers: [{ envFrom }] });
  for (const name of ['service-account', 'configmap', 'secret.example'])
    expect(manifest(name)).toMatchObject({ metadata: { name: 'slipway' } });
  for (const { valueFrom } of envOfPods) expect(valueFrom.secretKeyRef).toMatchObject({ name: 'slipway' });
  const files = readdirSync(join(root, 'deploy/kubernetes')).filter(
    (file) => file.endsWith('.yaml') && !/^(kustomization|secret)/.test(file),
  );
  expect(manifest('kustomization')).toMatchObject({ resources: files.sort() });
});
