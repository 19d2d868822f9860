import { createApp, type TestApp } from '../../../builders/app.js';
import { createTenant, type Site } from '../../../builders/identities.js';
import { createPlayDestination, importAab } from '../../app-submissions/submissions.js';
import { QueueSupervisor } from '../../servers/queue-supervisor.js';
import { type GooglePlay, startGooglePlay } from '../../stores/google-play/google-play.js';
import { JobWorld } from '../job-world.js';
import type { SimulatedBuild, SimulatedDestination } from './submission-model.js';

/** Of the first and the third app, with one service account; they are of two organizations. */
export const SHARED = 'com.example.shared';
/** Of the second app. */
const OWN = 'com.example.own';
const PACKAGES = [SHARED, OWN, SHARED];
/** Builds of each app. */
const BUILDS = 4;
const TRACKS = [
  { googlePlayTrack: 'internal' },
  { googlePlayTrack: 'production' },
  { googlePlayTrack: 'beta', androidReleaseStatus: 'draft' },
];

/** Two replicas, a stand-in for Google Play, and apps with builds and destinations, which all runs share. */
export class SubmissionWorld {
  private constructor(
    readonly jobs: JobWorld,
    readonly play: GooglePlay,
    private readonly supervisor: QueueSupervisor,
    readonly apps: readonly TestApp[],
    readonly builds: readonly SimulatedBuild[],
    readonly destinations: readonly SimulatedDestination[],
  ) {}

  static async start(): Promise<SubmissionWorld> {
    const play = await startGooglePlay();
    const jobs = await JobWorld.start({
      GOOGLE_PLAY_URL: play.url,
      GOOGLE_TOKEN_URL: play.tokenUrl,
      QUEUE_POLL_SECONDS: '1',
      SUBMISSION_WAIT_HOURS: '1',
    });
    const supervisor = await QueueSupervisor.start(jobs.databaseUrl);
    const site: Site = { origin: jobs.replicas[0].origin, databaseUrl: jobs.databaseUrl };
    const [first, second] = [await createTenant(site), await createTenant(site)];
    const apps = [await createApp(first), await createApp(first), await createApp(second)];
    const keys = Object.fromEntries(
      [SHARED, OWN].map((name) => [name, play.addServiceAccount({ packages: [name] })]),
    );
    const builds: SimulatedBuild[] = [];
    const destinations: SimulatedDestination[] = [];
    for (const [app, packageName] of PACKAGES.entries()) {
      for (let number = 1; number <= BUILDS; number++) {
        // No two apps have a version code.
        const versionCode = 10 * number + app;
        const id = await importAab(apps[app]!, { packageName, versionCode });
        builds.push({ id, app, packageName, versionCode: String(versionCode) });
      }
      for (const fields of TRACKS) {
        const key = keys[packageName]!;
        const id = await createPlayDestination(apps[app]!, key, {
          androidPackageName: packageName,
          ...fields,
        });
        destinations.push({ id, app, packageName, track: fields.googlePlayTrack });
      }
    }
    return new SubmissionWorld(jobs, play, supervisor, apps, builds, destinations);
  }

  /** The apps of the Play Console, as if they were new. */
  async clear(): Promise<void> {
    await this.play.clear();
    for (const packageName of [SHARED, OWN]) this.play.addApp({ packageName });
    this.play.latency = 5;
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    await this.jobs.stop();
    await this.play.stop();
  }
}
