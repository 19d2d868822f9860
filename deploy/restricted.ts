/** The part of a pod's spec that the Pod Security Standard "restricted" is about. */
export interface RestrictedPodSpec {
  readonly [field: string]: unknown;
  readonly containers?: readonly RestrictedContainer[];
  readonly initContainers?: readonly RestrictedContainer[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  readonly securityContext?: SecurityContext;
}

interface RestrictedContainer {
  readonly name?: string;
  readonly securityContext?: SecurityContext;
  readonly ports?: readonly { readonly hostPort?: number }[];
}

interface SecurityContext {
  readonly privileged?: boolean;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly procMount?: string;
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  readonly seccompProfile?: { readonly type?: string };
}

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const PROFILES = ['RuntimeDefault', 'Localhost'];

/**
 * What of a pod the Pod Security Standard "restricted" forbids, and besides: a root file system that can be written.
 *
 * @returns one sentence for each violation
 */
export function restrictedProblems(spec: RestrictedPodSpec): string[] {
  const problems = ['hostNetwork', 'hostPID', 'hostIPC']
    .filter((field) => spec[field] === true)
    .map((field) => `${field} is true.`);
  for (const { name, ...source } of spec.volumes ?? []) {
    const types = Object.keys(source);
    if (types.length !== 1 || !types.every((type) => VOLUMES.includes(type))) {
      problems.push(`The volume ${String(name)} is a ${types.join(' and a ') || 'nothing'}.`);
    }
  }
  const pod = spec.securityContext ?? {};
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    problems.push(
      ...containerProblems(container, pod).map((problem) => `Container ${container.name}: ${problem}`),
    );
  }
  return problems;
}

function containerProblems(
  { securityContext: own = {}, ports = [] }: RestrictedContainer,
  pod: SecurityContext,
): string[] {
  const { capabilities = {} } = own;
  const rules: readonly (readonly [boolean, string])[] = [
    [own.privileged !== true, 'it is privileged.'],
    [own.allowPrivilegeEscalation === false, 'allowPrivilegeEscalation must be false.'],
    [capabilities.drop?.includes('ALL') === true, 'it must drop ALL capabilities.'],
    [
      (capabilities.add ?? []).every((name) => name === 'NET_BIND_SERVICE'),
      'it may add no capability but NET_BIND_SERVICE.',
    ],
    [(own.runAsNonRoot ?? pod.runAsNonRoot) === true, 'runAsNonRoot must be true.'],
    [(own.runAsUser ?? pod.runAsUser) !== 0, 'runAsUser must not be 0.'],
    [
      PROFILES.includes((own.seccompProfile ?? pod.seccompProfile)?.type ?? ''),
      'seccompProfile must be RuntimeDefault or Localhost.',
    ],
    [(own.procMount ?? 'Default') === 'Default', 'procMount must be Default.'],
    [ports.every(({ hostPort }) => (hostPort ?? 0) === 0), 'it has a port of the host.'],
    [own.readOnlyRootFilesystem === true, 'readOnlyRootFilesystem must be true.'],
  ];
  return rules.flatMap(([isMet, problem]) => (isMet ? [] : [problem]));
}
