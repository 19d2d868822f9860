import type { IJob } from 'kubernetes-models/batch/v1';
import type { IContainer, IPodSpec, IResourceRequirements, ISecret } from 'kubernetes-models/v1';
import type {
  ClaimedJobDto,
  ClaimResponseDto,
  RunnerSessionDto,
} from '../../jobs/runner-sessions/runner-session.dto.js';
import type { KubernetesObject } from './kubernetes-api.js';
import type { PodTemplate } from './pod-template.js';

/** Where the containers see their volumes. */
const POD_PATHS = {
  /** Working copy, home and cache. Both containers. */
  work: '/var/lib/slipway-job',
  /** Programs that the agent fetches. Both containers; that of the build can only read it. */
  tools: '/var/lib/slipway-tools',
  /** What the agent makes of the build. */
  artifacts: '/var/lib/slipway-artifacts',
  /** In memory: the key, while a program signs with it. Only the agent. */
  keys: '/var/run/slipway-keys',
  /** The socket of the command server. Both containers. */
  socket: '/var/run/slipway-build',
} as const;

/** What the agent of a pod gets on standard input: a job, its token, and what the server asks of runners. No token of a runner. */
export interface PodClaim {
  readonly claim: ClaimResponseDto;
  readonly session: RunnerSessionDto;
}

/** What every pod gets. */
export interface PodOptions {
  /** Of the API, as pods reach it. */
  readonly apiUrl: string;
  readonly agentImage: string;
  /** Image with the tools of builds. */
  readonly buildImage: string;
  /** Processor cores of a build, such as `2` or `500m`. */
  readonly cpu: string;
  readonly memoryMiB: number;
  readonly diskMiB: number;
  readonly template: PodTemplate;
  /** Settings of builds for the agent, such as `RUNNER_GIT_LFS`. */
  readonly env: Readonly<Record<string, string>>;
  /** Id of the runner whose jobs these are. */
  readonly runnerId: string;
}

/** Seconds of a pod besides those of its job: for images that are pulled, and for uploads. */
const SPARE_SECONDS = 1800;
/** Seconds after which Kubernetes deletes what has finished. Until then, `kubectl` shows it. */
const KEPT_SECONDS = 600;
/** What the agent itself may use. */
const AGENT = { cpu: '500m', memory: '768Mi', disk: '5Gi' } as const;
/** The same for jobs whose packages it signs: the Java that signs runs beside it. */
const SIGNING_MEMORY = '1792Mi';
/** The user of the images, by number: from a name, Kubernetes cannot verify that it is not root. */
const USER = 1000;

/**
 * Hands the claim to the agent on standard input, so that no file and no environment of the container has the token: a build
 * that gets the agent to follow a link finds nothing.
 */
const AGENT_COMMAND = [
  '/bin/sh',
  '-c',
  'exec env -u RUNNER_CLAIM node --disable-sigusr1 dist/slipway.js runner job <<END\n$RUNNER_CLAIM\nEND',
];

/** Of the Secret. */
const CLAIM_KEY = 'claim';

export const RUNNER_LABEL = 'slipway/runner';

const labelsOf = (job: ClaimedJobDto, { runnerId }: PodOptions): Record<string, string> => ({
  'app.kubernetes.io/name': 'slipway-runner',
  'app.kubernetes.io/component': 'build',
  [RUNNER_LABEL]: runnerId,
  'slipway/app': job.appId,
  'slipway/job': job.id,
});

/**
 * The Job of a claim: one pod with two containers that share no processes. `agent` has the token of the job and runs
 * nothing of the repository; `build` runs the commands of the build and has no token.
 *
 * @param name also of its Secret
 */
export function buildJob(name: string, { job }: ClaimResponseDto, options: PodOptions): IJob {
  const labels = labelsOf(job, options);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      // The API decides about a second attempt.
      backoffLimit: 0,
      activeDeadlineSeconds: job.timeoutSeconds + SPARE_SECONDS,
      ttlSecondsAfterFinished: KEPT_SECONDS,
      template: { metadata: { labels }, spec: podOf(name, job, options) },
    },
  };
}

/** The Secret with the claim and its token. It is deleted with the Job, and the agent does not start before it is there. */
export function claimSecret(job: KubernetesObject, content: PodClaim, options: PodOptions): ISecret {
  const { name, uid } = job.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      labels: labelsOf(content.claim.job, options),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid }],
    },
    immutable: true,
    type: 'Opaque',
    stringData: { [CLAIM_KEY]: JSON.stringify(content) },
  };
}

function podOf(name: string, job: ClaimedJobDto, options: PodOptions): IPodSpec {
  const disk = `${options.diskMiB}Mi`;
  return {
    ...(options.template as Partial<IPodSpec>),
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    shareProcessNamespace: false,
    terminationGracePeriodSeconds: 10,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [buildContainer(options), agentContainer(name, job, options)],
    volumes: [
      { name: 'work', emptyDir: { sizeLimit: disk } },
      { name: 'tools', emptyDir: { sizeLimit: '2Gi' } },
      { name: 'socket', emptyDir: { sizeLimit: '1Mi' } },
      { name: 'artifacts', emptyDir: { sizeLimit: AGENT.disk } },
      // Counts as memory of the agent, and is gone with the pod, however that ends.
      { name: 'keys', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      { name: 'agent-tmp', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'build-tmp', emptyDir: { sizeLimit: disk } },
    ],
  };
}

const container = (own: IContainer): IContainer => ({
  ...own,
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
});

const resourcesOf = (cpu: string, memory: string, disk: string): IResourceRequirements => {
  const resources = { cpu, memory, 'ephemeral-storage': disk };
  return { requests: resources, limits: resources };
};

function buildContainer({ buildImage, cpu, memoryMiB, diskMiB }: PodOptions): IContainer {
  return container({
    name: 'build',
    image: buildImage,
    args: ['runner', 'commands'],
    env: [{ name: 'RUNNER_SOCKET', value: `${POD_PATHS.socket}/commands.sock` }],
    resources: resourcesOf(cpu, `${memoryMiB}Mi`, `${diskMiB}Mi`),
    volumeMounts: [
      { name: 'work', mountPath: POD_PATHS.work },
      { name: 'tools', mountPath: POD_PATHS.tools, readOnly: true },
      { name: 'socket', mountPath: POD_PATHS.socket },
      { name: 'build-tmp', mountPath: '/tmp' },
    ],
  });
}

function agentContainer(
  secret: string,
  { platform }: ClaimedJobDto,
  { agentImage, apiUrl, env }: PodOptions,
): IContainer {
  const own = {
    ...env,
    SLIPWAY_URL: apiUrl,
    RUNNER_SOCKET: `${POD_PATHS.socket}/commands.sock`,
    RUNNER_WORK_DIR: POD_PATHS.work,
    RUNNER_STORE_DIR: POD_PATHS.tools,
    RUNNER_ARTIFACTS_DIR: POD_PATHS.artifacts,
    RUNNER_KEYS_DIR: POD_PATHS.keys,
  };
  return container({
    name: 'agent',
    image: agentImage,
    command: AGENT_COMMAND,
    env: [
      ...Object.entries(own).map(([name, value]) => ({ name, value })),
      { name: 'RUNNER_CLAIM', valueFrom: { secretKeyRef: { name: secret, key: CLAIM_KEY } } },
    ],
    resources: resourcesOf(AGENT.cpu, platform === 'android' ? SIGNING_MEMORY : AGENT.memory, AGENT.disk),
    volumeMounts: [
      { name: 'work', mountPath: POD_PATHS.work },
      { name: 'tools', mountPath: POD_PATHS.tools },
      { name: 'artifacts', mountPath: POD_PATHS.artifacts },
      { name: 'keys', mountPath: POD_PATHS.keys },
      { name: 'socket', mountPath: POD_PATHS.socket },
      { name: 'agent-tmp', mountPath: '/tmp' },
    ],
  });
}
