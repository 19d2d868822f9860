import { createApp, type TestApp } from '../../builders/app.js';
import { createAutomation, type TestAutomation } from '../../builders/automation.js';
import { createGitConnection } from '../../builders/git-connection.js';
import type { Actor, Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../eventually.js';
import { uniqueName } from '../unique-name.js';
import type { GitServer } from './git-server.js';

/** A build, as tests of automations read it. */
export interface WatchedBuild {
  readonly id: string;
  readonly jobId: string;
  readonly gitRef: string;
  readonly gitCommitSha: string;
  readonly createdBy: string;
}

/** An app that is linked to a repository of a real git server, with one commit on `main`. */
export class WatchedApp {
  private constructor(
    readonly app: TestApp,
    /** Such as `shop-1.git`. */
    readonly repository: string,
    /** The id of its first commit. */
    readonly first: string,
    private readonly git: GitServer,
    private readonly site: Site,
  ) {}

  /** @param git that asks for `ada:pw`, or nothing */
  static async create(git: GitServer, app?: TestApp, site: Site = testEnvironment()): Promise<WatchedApp> {
    const repository = `${uniqueName('shop')}.git`;
    git.create(repository);
    const first = git.commit(repository, 'main', 'First');
    const watched = new WatchedApp(app ?? (await createApp()), repository, first, git, site);
    await watched.link(repository);
    return watched;
  }

  async link(path: string): Promise<void> {
    const { app, git } = this;
    const credentials = { authKind: 'basic', username: 'ada', token: undefined, password: 'pw' };
    const connection = { provider: 'git_http', baseUrl: git.origin, ...credentials };
    const { id: gitConnectionId } = await createGitConnection(app.tenant, connection);
    expect((await app.api.put(`${app.path}/repository`, { gitConnectionId, path })).status).toBe(200);
  }

  /** @returns the id of the commit */
  commit(branch: string, message: string): string {
    return this.git.commit(this.repository, branch, message);
  }

  /** @param ref in full, such as `refs/heads/main` */
  setRef(ref: string, commit: string): void {
    this.git.git(this.repository, ['update-ref', ref, commit]);
  }

  /** Waits until the refs that there are were recorded. */
  recorded({ id }: TestAutomation): Promise<void> {
    return eventually(async () => {
      const sql = 'SELECT refs_recorded_at AS time FROM automations WHERE id = $1';
      expect(await query(this.site.databaseUrl, sql, [id])).toEqual([{ time: expect.any(Date) as Date }]);
    });
  }

  /** An automation that waits for pushes. */
  async waiting(values: object = {}, actor: Pick<Actor, 'api'> = this.app): Promise<TestAutomation> {
    const automation = await createAutomation(this.app, values, actor);
    await this.recorded(automation);
    return automation;
  }

  /** Lets the next look of the server be due, and waits for its end. */
  async look(): Promise<void> {
    const { databaseUrl } = this.site;
    const [before] = await query(databaseUrl, 'SELECT now() AS time', []);
    await this.beDue();
    await eventually(async () => {
      const ended = `SELECT FROM repository_looks WHERE app_id = $1 AND looked_at > $2`;
      expect(await query(databaseUrl, ended, [this.app.id, (before as { time: Date }).time])).toHaveLength(1);
    });
  }

  async beDue(): Promise<void> {
    const due = 'UPDATE repository_looks SET next_look_at = now(), requested_at = NULL WHERE app_id = $1';
    await query(this.site.databaseUrl, due, [this.app.id]);
  }

  /** The latest hundred, the newest first. */
  async builds(): Promise<WatchedBuild[]> {
    return (await this.app.api.get(`${this.app.path}/builds?limit=100`)).body as WatchedBuild[];
  }

  async gitEvents(): Promise<object[]> {
    return (await this.app.api.get(`${this.app.path}/git-events?limit=100`)).body as object[];
  }

  async read({ path }: TestAutomation): Promise<object> {
    return (await this.app.api.get(path)).body as object;
  }
}
