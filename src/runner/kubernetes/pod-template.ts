import { readFile } from 'node:fs/promises';

/** The fields of a pod that an operator may set: where it runs and how it is kept apart, not what runs in it. */
const FIELDS = [
  'affinity',
  'dnsConfig',
  'dnsPolicy',
  'hostAliases',
  'hostUsers',
  'imagePullSecrets',
  'nodeSelector',
  'priorityClassName',
  'runtimeClassName',
  'schedulerName',
  'tolerations',
  'topologySpreadConstraints',
] as const;

/** Fields of a pod's `spec`. */
export type PodTemplate = Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>>;

/**
 * Reads what the operator adds to the pods of builds.
 *
 * @param path of a JSON file; `null`: nothing
 * @throws Error when the file cannot be read, is no object, or has another field
 */
export async function readPodTemplate(path: string | null): Promise<PodTemplate> {
  if (path === null) return {};
  let template: unknown;
  try {
    template = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`RUNNER_POD_TEMPLATE: ${(cause as Error).message}`, { cause });
  }
  if (typeof template !== 'object' || template === null || Array.isArray(template)) {
    throw new Error('RUNNER_POD_TEMPLATE must be a JSON object with fields of the spec of a pod.');
  }
  const other = Object.keys(template).find((field) => !(FIELDS as readonly string[]).includes(field));
  if (other !== undefined) {
    throw new Error(`RUNNER_POD_TEMPLATE may not set "${other}": only ${FIELDS.join(', ')}.`);
  }
  return template as PodTemplate;
}
