import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, loadAll } from 'js-yaml';
import type { RestrictedPodSpec } from './restricted.ts';

/** An object of Kubernetes. The interface lists the fields that checks read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly spec?: RestrictedPodSpec };
  };
}

const root = join(import.meta.dirname, '..');

/** Overlays that the docs describe, by a name for messages. Paths are relative to a folder of this one. */
const OVERLAYS: Readonly<Record<string, object>> = {
  base: { resources: ['../kubernetes'] },
  'base with components/s3': {
    resources: ['../kubernetes'],
    components: ['../kubernetes/components/s3'],
  },
  runner: { resources: ['../kubernetes/runner'] },
};

/** What kustomize makes of the overlays. @returns `null` without kubectl and kustomize */
export function renderings(): Map<string, Manifest[]> | null {
  const [command, ...args] =
    [
      ['kubectl', 'kustomize'],
      ['kustomize', 'build'],
    ].find(([program = '', ...rest]) => spawnSync(program, [...rest, '--help']).status === 0) ?? [];
  if (command === undefined) return null;
  return new Map(
    Object.entries(OVERLAYS).map(([name, overlay]) => {
      // kustomize takes no absolute paths.
      const folder = mkdtempSync(join(root, 'deploy/overlay-'));
      try {
        writeFileSync(join(folder, 'kustomization.yaml'), dump({ namespace: 'slipway', ...overlay }));
        const rendered = execFileSync(command, [...args, folder], { encoding: 'utf8' });
        return [name, loadAll(rendered) as Manifest[]];
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
  );
}
