import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { dockerfile, image, manifest, podsOf, required, services } from '../../deploy/files.js';
import { renderings } from '../../deploy/render.js';
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
const variables = Object.values(new Config()).flatMap((section: object) => [
  ...envVariablesOf(section).values(),
]);
const names = variables.map(({ name }) => name);
const secrets = variables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
/** In .env, for Compose itself. */
const OF_COMPOSE = ['COMPOSE_PROFILES', 'POSTGRES_PASSWORD', 'PUBLISHED_PORT', 'SLIPWAY_IMAGE'];

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
  const froms = dockerfile.getFROMs();
  const stages = new Set(froms.map((from) => from.getBuildStage()));
  const images = froms.map((from) => from.getImage() ?? '').filter((name) => !stages.has(name));
  const bases = new Set(images.map((name) => name.split('-', 1)[0]));
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
  expect(api.ports).toEqual([`\${PUBLISHED_PORT:-\${PORT:-${port}}}:${port}`]);
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

it('passes every variable of .env to the program, except those that Compose decides', () => {
  const decided = {
    DATABASE_URL: expect.any(String),
    DATA_DIR: '/data',
    HOST: '0.0.0.0',
    INSTALLATION: 'compose',
    PORT: `${port}`,
  };
  for (const service of [migrate, api]) {
    expect(service).toMatchObject({ env_file: '.env' });
    expect(service.environment).toEqual(decided);
  }
  expect(read('.gitignore').split('\n')).toContain('.env');
});

it('names only variables that the program or Compose reads, in every file and on the pages', () => {
  for (const name of [...Object.keys(api.environment), ...Object.keys(configMap), ...Object.keys(secret)])
    expect(names).toContain(name);
  for (const { name } of envOfPods) expect(names).toContain(name);
  const known = [...names, ...OF_COMPOSE];
  const examples = read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm);
  expect([...examples].map(([, name]) => name).filter((name) => !known.includes(name ?? ''))).toEqual([]);
  for (const [, name = ''] of read('docker-compose.yml').matchAll(/\$\{(\w+)/g))
    expect(known).toContain(name);
  for (const page of ['deployment', 'object-storage']) {
    // In blocks of code: what a reader copies into .env, a ConfigMap or a command.
    const set = [
      ...read(`docs/${page}.md`).matchAll(/^(?: {4,}| *--from-literal=)?([A-Z][A-Z0-9_]{3,})[=:]/gm),
    ];
    expect(set.length).toBeGreaterThan(2);
    expect(set.map(([, name]) => name).filter((name) => !known.includes(name ?? ''))).toEqual([]);
  }
  const reference = read('docs/deployment.md') + read('docs/configuration.md');
  for (const name of known.filter((it) => it !== 'COMPOSE_PROFILES'))
    expect(reference).toContain(`\`${name}\``);
});

it('requires the secrets and contains none', () => {
  expect(required.map((text) => /^\$\{(\w+):\?.{20,}\}$/.exec(text)?.[1])).toEqual([
    'ENCRYPTION_KEY',
    'BOOTSTRAP_EMAIL',
    'BOOTSTRAP_TOKEN',
  ]);
  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: name } = postgres.environment;
  expect(api.environment['DATABASE_URL']).toBe(`postgres://${user}:${password}@postgres:5432/${name}`);
  const filled = [...read('.env.example').matchAll(/^([A-Z]\w+)=(.*)$/gm)].filter(
    ([, , value]) => value !== '',
  );
  expect(filled).toEqual([]);
});

it('gives the pods every secret of the configuration, and no pod starts without the first two', () => {
  const keys = [...secrets, 'BOOTSTRAP_EMAIL'].sort();
  expect(Object.keys(secret).sort()).toEqual(keys);
  expect(new Set(Object.values(secret))).toEqual(new Set(['']));
  for (const { container } of [server, migration]) {
    expect(container.env.map(({ name }) => name).sort()).toEqual(keys);
    const needed = container.env.filter(({ valueFrom }) => valueFrom.secretKeyRef.optional !== true);
    expect(needed.map(({ name }) => name)).toEqual(['DATABASE_URL', 'ENCRYPTION_KEY']);
    for (const { name, valueFrom } of container.env) expect(valueFrom.secretKeyRef.key).toBe(name);
  }
  expect(Object.keys(configMap).filter((name) => name in secret)).toEqual([]);
});

describe('the component for object storage', () => {
  const component = 'components/s3';

  it('patches objects of the base', () => {
    const { patches } = manifest<{ patches: { path: string }[] }>(`${component}/kustomization`);
    const identity = (name: string) => {
      const { kind, metadata } = manifest<{ kind: string; metadata: { name: string } }>(name);
      return { kind, name: metadata.name };
    };
    expect(patches.length).toBeGreaterThan(0);
    for (const { path } of patches) {
      const name = path.replace('.yaml', '');
      expect(identity(`${component}/${name}`)).toEqual(identity(name));
    }
  });

  const rendered = renderings()?.get('base with components/s3');
  (rendered === undefined ? it.skip : it)('leaves no claim, and one source of each volume', () => {
    const find = (kind: string) => rendered?.find((object) => object.kind === kind);
    expect(find('PersistentVolumeClaim')).toBeUndefined();
    expect(find('ConfigMap')?.data).toMatchObject({ STORAGE: 's3' });
    expect(find('Deployment')).toMatchObject({
      spec: {
        replicas: 2,
        strategy: { type: 'RollingUpdate' },
        template: {
          spec: {
            volumes: [
              { name: 'data', emptyDir: {} },
              { name: 'tmp', emptyDir: {} },
            ],
          },
        },
      },
    });
  });
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
