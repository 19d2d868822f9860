import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IContainer, IPodSpec, ISecret } from 'kubernetes-models/v1';
import { startContainer } from './container.js';

/** A pod that runs. */
export interface RunningPod {
  /** What its containers print. */
  output: string;
  /** The containers by name. */
  readonly containers: ReadonlyMap<string, ChildProcess>;
  /** The exit codes by container, when all have ended. Its volumes are gone then. */
  readonly ended: Promise<Record<string, number | null>>;
}

/** Runs the containers of a pod on this machine, each with the volumes and the environment that its spec names. */
export async function runPod(spec: IPodSpec, secret: ISecret): Promise<RunningPod> {
  const root = await mkdtemp(join(tmpdir(), 'slipway-pod-'));
  for (const volume of spec.volumes ?? []) {
    if (volume.emptyDir === undefined) throw new Error(`Tests have no volume like ${volume.name}.`);
    await mkdir(join(root, volume.name));
  }
  const envOf = ({ env = [] }: IContainer): Record<string, string> =>
    Object.fromEntries(
      env.map(({ name, value, valueFrom }) => {
        const key = valueFrom?.secretKeyRef?.key ?? '';
        return [name, value ?? (secret as { stringData?: Record<string, string> }).stringData?.[key] ?? ''];
      }),
    );
  const pod = { output: '' };
  const containers = new Map<string, ChildProcess>();
  for (const container of spec.containers) {
    const child = startContainer(container.args ?? [], {
      command: container.command,
      env: envOf(container),
      mounts: (container.volumeMounts ?? []).map(({ name, mountPath, readOnly }) => ({
        from: join(root, name),
        to: mountPath,
        readOnly: readOnly === true,
      })),
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (pod.output += `${container.name}: ${chunk.toString()}`));
    }
    containers.set(container.name, child);
  }
  const codes = [...containers].map(async ([name, child]): Promise<[string, number | null]> => [
    name,
    ((await once(child, 'close')) as [number | null])[0],
  ]);
  const ended = Promise.all(codes).then(async (all) => {
    await rm(root, { recursive: true, force: true });
    return Object.fromEntries(all);
  });
  return Object.assign(pod, { containers, ended });
}
