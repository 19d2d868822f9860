import type { Build } from '../../api/types';
import { isOpen } from '../../parts/build';
import type { Command } from '../../parts/command';

/** What the page of a build shows and does, as commands. */
export function commandsOf(build: Build): Command[] {
  const { appId, id, jobId, job } = build;
  const path = `/v1/apps/${appId}/builds/${id}`;
  const ofBuild = `--app-id ${appId} --build-id ${id}`;
  const commands: Command[] = [
    {
      title: 'This build',
      cli: `apps:builds:get ${ofBuild}`,
      path: `${path}?relations=job,appBuildArtifacts,appDeployments`,
    },
  ];
  if (jobId !== null) {
    commands.push({
      title: 'Its log',
      cli: `apps:builds:logs ${ofBuild}`,
      path: `/v1/jobs/${jobId}/logs?limit=500`,
    });
  }
  if (isOpen(build)) {
    commands.push({
      title: 'Cancel it',
      cli: `apps:builds:cancel ${ofBuild}`,
      method: 'PATCH',
      path: `/v1/jobs/${jobId}`,
      body: { status: 'canceled' },
    });
  }
  if (job?.status === 'failed' && jobId !== null) {
    commands.push({
      title: 'Why it failed',
      cli: `apps:builds:failure-summary ${ofBuild}`,
      method: 'POST',
      path: `/v1/jobs/${jobId}/failure-summary`,
    });
  }
  if (job?.status === 'succeeded' && jobId !== null) {
    commands.push({
      title: 'Share it',
      cli: `apps:builds:share ${ofBuild}`,
      method: 'POST',
      path: `${path}/shares`,
      body: { description: 'For testers' },
    });
  }
  if (job?.status === 'succeeded' && build.platform === 'web') {
    commands.push({
      title: 'Deploy it to a channel',
      cli: `apps:deployments:create ${ofBuild} --channel production`,
      method: 'POST',
      path: `/v1/apps/${appId}/deployments`,
      body: { appBuildId: id, appChannelName: 'production' },
    });
  }
  return commands;
}
