import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IPodSpec } from 'kubernetes-models/v1';
import { androidRunnerImage, manifest, runnerImage } from '../../deploy/files.js';
import { type RestrictedPodSpec, restrictedProblems } from '../../deploy/restricted.js';
import { buildJob, type PodOptions } from '../../src/runner/kubernetes/build-job.js';

const root = join(import.meta.dirname, '../..');
const UNIT = join(root, 'deploy/systemd/slipway-runner.service');
const unit = readFileSync(UNIT, 'utf8');

/** The values of a setting of the unit. */
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

interface Manager {
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: IPodSpec };
  };
}

const pod = manifest<Manager>('runner/deployment').spec.template;
const claim = {
  job: {
    id: '01a204a5-a203-706c-aed3-ec939bca5626',
    kind: 'build',
    platform: 'web',
    stack: 'linux',
    attempt: 1,
    appId: '01a204a5-9d1c-70de-a0fe-c85bafdb2ed1',
    organizationId: '01a204a5-9d1c-70de-a0fe-c85bafdb2ed2',
    timeoutSeconds: 3600,
    idleSeconds: 1200,
  },
  jobToken: 'slj_secret',
  lease: { expiresAt: '2030-01-01T00:00:00.000Z', seconds: 60 },
} as const;
const options: PodOptions = {
  apiUrl: 'https://slipway.example.com',
  agentImage: 'slipway-runner:1',
  buildImage: 'tools:1',
  cpu: '2',
  memoryMiB: 4096,
  diskMiB: 10_240,
  env: {},
  runnerId: '01a204a5-9d1c-70de-a0fe-c85bafdb2ed3',
  template: { nodeSelector: { pool: 'builds' }, tolerations: [{ key: 'builds', operator: 'Exists' }] },
};

describe('runners on Kubernetes', () => {
  const job = buildJob('slipway-build-1', claim, options);
  const spec = job.spec?.template.spec as IPodSpec;

  it('meet the Pod Security Standard "restricted", manager and builds', () => {
    expect(restrictedProblems(pod.spec as unknown as RestrictedPodSpec)).toEqual([]);
    expect(restrictedProblems(spec as unknown as RestrictedPodSpec)).toEqual([]);
    expect(restrictedProblems({ hostPID: true, containers: [{ name: 'a' }] })).toContain('hostPID is true.');
    expect(restrictedProblems({ volumes: [{ name: 'a', hostPath: { path: '/' } }] })).toEqual([
      'The volume a is a hostPath.',
    ]);
  });

  it('give builds no token, no volume of the agent, and bounds', () => {
    expect(job.spec).toMatchObject({
      backoffLimit: 0,
      activeDeadlineSeconds: 5400,
      ttlSecondsAfterFinished: 600,
    });
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      shareProcessNamespace: false,
      restartPolicy: 'Never',
      nodeSelector: { pool: 'builds' },
    });
    expect(spec.serviceAccountName).toBeUndefined();
    const [build, agent] = spec.containers;
    expect(build).toMatchObject({ name: 'build', image: 'tools:1' });
    expect(JSON.stringify(build)).not.toMatch(/secret|RUNNER_CLAIM|artifacts|keys/);
    expect(JSON.stringify(job)).not.toContain(claim.jobToken);
    for (const container of [build, agent]) {
      expect(Object.keys(container?.resources?.limits ?? {})).toEqual(['cpu', 'memory', 'ephemeral-storage']);
      expect(container?.resources?.requests).toEqual(container?.resources?.limits);
    }
  });

  it('have a manager that may do what it does and nothing else', () => {
    expect(manifest('runner/role')).toMatchObject({
      rules: [
        { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create', 'delete', 'list'] },
        { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      ],
    });
    expect(manifest('runner/role-binding')).toMatchObject({
      roleRef: { kind: 'Role', name: 'slipway-runner' },
      subjects: [{ kind: 'ServiceAccount', name: pod.spec.serviceAccountName }],
    });
    expect(pod.spec.containers[0]?.args).toEqual(['runner', 'kubernetes']);
    const files = readdirSync(join(root, 'deploy/kubernetes/runner')).filter(
      (file) => !/^(kustomization|secret)/.test(file),
    );
    expect(manifest('runner/kustomization')).toMatchObject({ resources: files.toSorted() });
  });

  it('close private networks to the pods of builds, and nothing to the manager', () => {
    const policy = manifest<{ spec: { podSelector: { matchLabels: object } } }>('runner/network-policy');
    expect(job.spec?.template.metadata?.labels).toMatchObject(policy.spec.podSelector.matchLabels);
    expect(pod.metadata.labels).not.toMatchObject(policy.spec.podSelector.matchLabels);
    const text = JSON.stringify(policy);
    for (const network of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      '100.64.0.0/10',
    ]) {
      expect(text).toContain(network);
    }
  });
});

it('runs the runner of the image as its own user, with what a sandbox needs', () => {
  const of = (keyword: string) =>
    runnerImage.instructions
      .filter((it) => it.getKeyword() === keyword)
      .map((it) => it.getArgumentsContent());
  expect([...runnerImage.entrypoint, ...runnerImage.command]).toEqual([
    'node',
    '--disable-sigusr1',
    'dist/slipway.js',
    'runner',
  ]);
  expect(of('USER')).toEqual(['node']);
  expect(of('VOLUME')).toEqual([runnerImage.env['RUNNER_DIR']]);
  // The environment of commands in a pod: `production` would leave out development dependencies.
  expect(runnerImage.env).not.toHaveProperty('NODE_ENV');
  for (const name of ['bubblewrap', 'slirp4netns', 'iproute2', 'git', 'git-lfs', 'ca-certificates']) {
    expect(of('RUN').join(' ')).toMatch(new RegExp(`\\s${name}\\s`));
  }
});

it('has an image that signs Android packages, which is the runner with a JDK and the programs of Debian', () => {
  const of = (keyword: string) =>
    androidRunnerImage.instructions
      .filter((it) => it.getKeyword() === keyword)
      .map((it) => it.getArgumentsContent());
  expect(of('FROM')).toEqual(['runner AS runner-android']);
  expect(of('USER')).toEqual(['root', 'node']);
  expect([of('ENTRYPOINT'), of('CMD'), of('ENV')]).toEqual([[], [], []]);
  for (const name of ['apksigner', 'openjdk-17-jdk-headless', 'zipalign']) {
    expect(of('RUN').join(' ')).toMatch(new RegExp(`\\s${name}\\s`));
  }
});

describe('the systemd unit', () => {
  it('leaves what the sandbox of builds needs', () => {
    const forbidden = ['RestrictNamespaces', 'PrivateUsers', 'PrivateDevices', 'ProtectKernelTunables'];
    for (const name of [...forbidden, 'ProtectProc', 'MemoryDenyWriteExecute', 'ProtectHostname']) {
      expect(valuesOf(name)).toEqual([]);
    }
    expect(valuesOf('DeviceAllow')).toEqual(['/dev/net/tun rw']);
    expect(valuesOf('KillMode')).toEqual(['mixed']);
    expect(valuesOf('LoadCredential')).toEqual(['token:/etc/slipway-runner/token']);
    expect(valuesOf('Environment')).toContain('RUNNER_TOKEN_FILE=%d/token');
    expect(valuesOf('SystemCallFilter').join(' ')).not.toContain('@mount');
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  (hasSystemd ? it : it.skip)('is understood by systemd, and well confined', () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-unit-'));
    try {
      const path = join(folder, 'slipway-runner.service');
      // systemd looks for the program on this machine.
      writeFileSync(path, unit.replaceAll('/usr/bin/node', '/bin/sh'));
      const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
        encoding: 'utf8',
      });
      expect([stderr, status]).toEqual(['', 0]);
      const report = execFileSync('systemd-analyze', ['security', '--offline=true', path], {
        encoding: 'utf8',
      });
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(4.5);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
