import type { Build } from '../../api/types';
import { type Command, quote } from '../../parts/command';

/** What the list of builds shows and does, as commands. @param like the last build; `null`: none */
export function commandsOf(appId: string, like: Build | null): Command[] {
  const platform = like?.platform ?? 'web';
  const ref = like?.gitRef ?? 'main';
  return [
    {
      title: 'The builds of this app',
      cli: `apps:builds:list --app-id ${appId}`,
      path: `/v1/apps/${appId}/builds?relations=job,starter,appDeployments`,
    },
    {
      title: `Build ${ref}`,
      cli: `apps:builds:create --app-id ${appId} --platform ${platform} --git-ref ${quote(ref)}`,
      method: 'POST',
      path: `/v1/apps/${appId}/builds`,
      body: { platform, gitRef: ref },
    },
  ];
}
