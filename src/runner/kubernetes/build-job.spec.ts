import type { ClaimResponseDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { buildJob } from './build-job.js';

const claim = { job: { id: 'job', appId: 'app', timeoutSeconds: 3600 } } as ClaimResponseDto;
const options = {
  apiUrl: 'https://api.example.com',
  agentImage: 'agent',
  buildImage: 'build',
  cpu: '2',
  memoryMiB: 1024,
  diskMiB: 2048,
  template: {},
  env: {},
  runnerId: 'runner',
};

it('lets the kernel and the kubelet keep the limits of a build', () => {
  const pod = buildJob('name', claim, options).spec?.template.spec;
  const build = pod?.containers.find(({ name }) => name === 'build');
  const limits = { cpu: '2', memory: '1024Mi', 'ephemeral-storage': '2048Mi' };
  expect(build?.resources).toEqual({ limits, requests: limits });
  for (const { resources } of pod?.containers ?? []) {
    expect(Object.keys(resources?.limits ?? {})).toEqual(['cpu', 'memory', 'ephemeral-storage']);
  }
  const folders = pod?.volumes?.filter(({ name }) => ['work', 'build-tmp'].includes(name));
  expect(folders?.map(({ emptyDir }) => emptyDir)).toEqual([
    { sizeLimit: '2048Mi' },
    { sizeLimit: '2048Mi' },
  ]);
  // Volumes in memory would count as memory of the build.
  const inMemory = pod?.volumes
    ?.filter(({ emptyDir }) => emptyDir?.medium !== undefined)
    .map(({ name }) => name);
  expect(inMemory).toEqual(['keys']);
  expect(build?.volumeMounts?.map(({ name }) => name)).not.toContain('keys');
});

it('lets builds read the tools that the agent fetches, and write only their own volumes', () => {
  const { containers = [] } = buildJob('name', claim, options).spec?.template.spec ?? {};
  const mountOf = (container: string): unknown =>
    containers
      .find(({ name }) => name === container)
      ?.volumeMounts?.find(({ mountPath }) => mountPath === '/var/lib/slipway-tools');
  expect(mountOf('build')).toMatchObject({ name: 'tools', readOnly: true });
  expect(mountOf('agent')).toEqual({ name: 'tools', mountPath: '/var/lib/slipway-tools' });
});

it('gives the agent memory for the Java that signs, where packages are signed', () => {
  const memoryOf = (platform: string): unknown => {
    const job = buildJob('name', { ...claim, job: { ...claim.job, platform } } as ClaimResponseDto, options);
    const { containers = [] } = job.spec?.template.spec ?? {};
    return containers.find(({ name }) => name === 'agent')?.resources?.limits?.['memory'];
  };
  expect([memoryOf('web'), memoryOf('android')]).toEqual(['768Mi', '1792Mi']);
});
