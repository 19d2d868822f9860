import { eventually } from '../eventually.js';
import type { PublishedApp } from './play-submissions.js';
import type { StoreApp } from './store-submissions.js';

/** Where a release is, as responses show it. */
export interface ReleaseView {
  readonly status: string;
  readonly since: string;
  readonly rolloutPercentage: number | null;
  readonly resumePercentage: number | null;
  readonly storeStatus: string | null;
  readonly message: string;
  readonly link: string | null;
  readonly lookedAt: string | null;
  readonly lookError: string | null;
  readonly nextLookAt: string | null;
}

/** Where a release is; `null`: its store does not have it. */
export async function releaseOf(app: StoreApp, id: string): Promise<ReleaseView | null> {
  const { submission } = await app.deployment(id);
  return (submission as unknown as { release: ReleaseView | null }).release;
}

/** Waits until a release is as wanted. */
export function expectRelease(app: StoreApp, id: string, wanted: object): Promise<ReleaseView> {
  return eventually(async () => {
    const release = await releaseOf(app, id);
    expect(release).toMatchObject(wanted);
    return release as ReleaseView;
  });
}

/** A line of the history of a release. */
export interface EventView {
  readonly kind: string;
  readonly actor: string;
  readonly user: { readonly id: string; readonly name: string | null; readonly email: string } | null;
  readonly action: string | null;
  readonly rolloutPercentage: number | null;
  readonly status: string | null;
  readonly hasSucceeded: boolean | null;
  readonly jobId: string | null;
  readonly message: string | null;
  readonly storeMessage: string | null;
}

/** What happened to a release, oldest first. */
export async function historyOf({ app }: StoreApp, id: string): Promise<EventView[]> {
  const { status, body } = await app.api.get(`${app.path}/deployments/${id}/history`);
  expect(status).toBe(200);
  return body as EventView[];
}

/** How often Google Play was asked where releases of an app are. */
export function looksAt({ playSite, packageName }: PublishedApp): number {
  return playSite.play.callsOf('releases').filter(({ path }) => path.includes(`/${packageName}/`)).length;
}
