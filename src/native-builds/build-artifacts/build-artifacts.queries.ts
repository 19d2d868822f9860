import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { Sql } from '../../database/sql.js';

/** SQL of artifacts, with the builds that they belong to. */
@Injectable()
export class BuildArtifactsQueries {
  constructor(private readonly sql: Sql) {}

  /** @throws NotFoundError when the app has no such build */
  async requireBuild(appId: string, id: string): Promise<void> {
    const rows = await this.sql.query('SELECT FROM builds WHERE app_id = $1 AND id = $2', [appId, id]);
    if (rows.length === 0) throw new NotFoundError('Build');
  }
}
