import type { Channel } from '../../api/types';
import type { Command } from '../../parts/command';
import type { Release } from '../../parts/release';

/** What the channel screen shows and does, as commands. */
export function commandsOf({ appId, id, name }: Channel, present: Release | undefined): Command[] {
  const channel = `/v1/apps/${appId}/channels/${id}`;
  const commands: Command[] = [
    {
      title: 'The releases of this channel',
      cli: `apps:deployments:list --app-id ${appId} --channel-id ${id}`,
      path: `/v1/apps/${appId}/deployments?appChannelId=${id}&relations=appBuild`,
    },
    {
      title: `Pause ${name}`,
      cli: `apps:channels:pause --app-id ${appId} --channel-id ${id}`,
      method: 'POST',
      path: `${channel}/pause`,
    },
  ];
  if (present === undefined) return commands;
  const deployment = `/v1/apps/${appId}/deployments/${present.deployment.id}`;
  return [
    ...commands,
    {
      title: `Give ${present.name} to half of the devices`,
      cli: null,
      method: 'PATCH',
      path: deployment,
      body: { rolloutPercentage: 0.5 },
    },
    {
      title: `Take ${present.name} back`,
      cli: null,
      method: 'PATCH',
      path: deployment,
      body: { rolloutPercentage: 0 },
    },
  ];
}
