import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Deployment } from './deploy.ts';
import { followJob } from './job.ts';
import { fact, note } from './print.ts';

/** Longer than any release of a demo takes. */
const PATIENCE_MS = 60_000;

/** Where the release of a deployment is in its store. */
export interface Release {
  readonly status: string;
  readonly rolloutPercentage: number | null;
  readonly message: string;
}

interface ReleasedDeployment extends Deployment {
  readonly submission: Deployment['submission'] & {
    readonly release: Release | null;
    readonly openAction: { readonly jobId: string } | null;
  };
}

/** A line of the history of a release. */
interface ReleaseEvent {
  readonly kind: string;
  readonly actor: string;
  readonly action: string | null;
  readonly status: string | null;
  readonly rolloutPercentage: number | null;
  readonly message: string | null;
}

/** A release of a deployment to a store. */
export class StoreRelease {
  private readonly api: Api;
  private readonly path: string;

  constructor(api: Api, appPath: string, deploymentId: string) {
    this.api = api;
    this.path = `${appPath}/deployments/${deploymentId}`;
  }

  /** Changes the share of users, and waits until the store has taken it. @param share 0 to 1 */
  async setShare(share: number): Promise<Release> {
    return this.follow(await this.api.patch<ReleasedDeployment>(this.path, { rolloutPercentage: share }));
  }

  /** Lets an approved version go live, and waits until the store has taken that. */
  async release(): Promise<Release> {
    return this.follow(await this.api.post<ReleasedDeployment>(`${this.path}/release`, {}));
  }

  /** Where it is, once that is so. @throws Error when it takes too long */
  async becomes(status: string, share?: number): Promise<Release> {
    const end = Date.now() + PATIENCE_MS;
    for (; Date.now() < end; await sleep(200)) {
      const { release } = (await this.get()).submission;
      if (release?.status !== status || (share !== undefined && release.rolloutPercentage !== share))
        continue;
      print(release);
      return release;
    }
    throw new Error(`The release does not become ${status}.`);
  }

  /** Prints what has happened to it, and who has done it. */
  async printHistory(): Promise<void> {
    for (const event of await this.api.get<ReleaseEvent[]>(`${this.path}/history?limit=100`)) {
      const { kind, actor, action, status, rolloutPercentage: share, message } = event;
      const what = [kind, action, status, share === null ? null : inPercent(share)];
      note(
        `${actor}: ${what.filter((word) => word !== null).join(' ')}${message === null ? '' : `. ${message}`}`,
      );
    }
  }

  private async follow({ submission: { openAction } }: ReleasedDeployment): Promise<Release> {
    assert.ok(openAction, 'the change is a job');
    const { status } = await followJob(this.api, openAction.jobId);
    assert.equal(status, 'succeeded', 'the store takes the change');
    const { release } = (await this.get()).submission;
    assert.ok(release, 'there is a release');
    print(release);
    return release;
  }

  private get(): Promise<ReleasedDeployment> {
    return this.api.get<ReleasedDeployment>(this.path);
  }
}

function print({ status, message }: Release): void {
  fact(`${status}: ${message}`);
}

function inPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
