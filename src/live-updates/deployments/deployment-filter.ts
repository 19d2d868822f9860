import { And, Equal, type FindOptionsWhere, Raw } from 'typeorm';
import { idContains } from '../../database/text-filters.js';
import type { Deployment } from './deployment.entity.js';
import type { ListDeploymentsQuery } from './list-deployments-query.dto.js';

/** Which deployments of an app a list has. */
export function filterOf(appId: string, query: ListDeploymentsQuery): FindOptionsWhere<Deployment> {
  const where: FindOptionsWhere<Deployment> = { appId };
  if (query.appBuildId !== undefined) where.buildId = query.appBuildId;
  if (query.appChannelId !== undefined) where.channelId = query.appChannelId;
  if (query.appDestinationId !== undefined) where.destinationId = query.appDestinationId;
  if (query.query !== undefined) where.id = idContains(query.query);
  if (query.appGitCommit !== undefined) {
    const ofCommit = buildOfCommit(query.appGitCommit);
    where.buildId = query.appBuildId === undefined ? ofCommit : And(Equal(query.appBuildId), ofCommit);
  }
  return where;
}

function buildOfCommit(commit: string): ReturnType<typeof Raw<string>> {
  return Raw(
    (column) => `${column} IN (SELECT id FROM builds WHERE git_ref = :commit OR git_commit_sha = :commit)`,
    { commit },
  );
}
