import { RUNNER_LABEL } from './build-job.js';
import type { KubernetesApi } from './kubernetes-api.js';

export const JOBS = 'batch/v1/jobs';

/** How long a count is valid unless all slots are taken, in milliseconds. */
const VALID = 15_000;
/** Jobs of one request, and requests of one count, at most. */
const PAGE = { size: 200, most: 20 } as const;

interface ListedJob {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Counts the Jobs of a runner that have not finished, also those of the manager before this one. */
export class RunningJobs {
  private names = new Set<string>();
  private countedAt = -Infinity;

  constructor(
    private readonly kubernetes: KubernetesApi,
    private readonly runnerId: string,
  ) {}

  /** A Job that was just created. */
  add(name: string): void {
    this.names.add(name);
  }

  /** @param slots from this number on, the list is always read again @throws KubernetesError */
  async count(slots: number): Promise<number> {
    if (this.names.size >= slots || performance.now() - this.countedAt > VALID) {
      this.names = await this.read();
      this.countedAt = performance.now();
    }
    return this.names.size;
  }

  private async read(): Promise<Set<string>> {
    const names = new Set<string>();
    let from: string | undefined;
    for (let page = 0; page < PAGE.most; page++) {
      const { items, metadata } = await this.kubernetes.list<ListedJob>(JOBS, {
        labelSelector: `${RUNNER_LABEL}=${this.runnerId}`,
        limit: String(PAGE.size),
        ...(from === undefined ? {} : { continue: from }),
      });
      for (const job of items) if (!isFinished(job)) names.add(job.metadata.name);
      from = metadata.continue;
      if (from === undefined || from === '') break;
    }
    return names;
  }
}

function isFinished({ status }: ListedJob): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
}
