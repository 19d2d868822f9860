import type { Channel } from '../../api/types';
import { type Command, quote } from '../../parts/command';
import { type Audience, planOf, shareOf } from './audience';

/** What the form has, besides the files and who gets them. */
export interface Values {
  readonly name: string;
  readonly notes: string;
  /** Native versions: the lowest that may get the release; empty: all. */
  readonly android: string;
  readonly ios: string;
}

/** What the form does, as commands. @param file name of the folder or the zip; `null`: none is chosen */
export function commandsOf(
  { appId, name: channelName, protectedAt, requiredApprovals }: Channel,
  file: string | null,
  audience: Audience,
  values: Values,
): Command[] {
  const plan = planOf(audience);
  const share = plan === null ? shareOf(audience) : 0;
  const percents = Number((share * 100).toFixed(6));
  // The command-line tool takes whole percents: others come by a second request, before which no device gets it.
  const isWhole = Number.isInteger(percents);
  const [name, notes] = [values.name.trim(), values.notes.trim()];
  const options = Object.entries({
    '--app-id': appId,
    '--channel': channelName,
    '--path': file ?? 'dist',
    '--private-key': protectedAt === null ? '' : 'private.pem',
    '--android-min': values.android.trim(),
    '--ios-min': values.ios.trim(),
    '--rollout-percentage': percents === 100 ? '' : String(isWhole ? percents : 0),
  }).filter(([, value]) => value !== '');
  const words = options.map(([option, value]) => `${option} ${quote(value)}`).join(' ');
  const deployment = `/v1/apps/${appId}/deployments/DEPLOYMENT_ID`;
  const commands: Command[] = [
    {
      title: `Publish to ${channelName}${notes === '' ? '' : '. The command-line tool takes no notes'}`,
      cli: `apps:liveupdates:upload ${words} --yes${name === '' ? '' : ' --json'}`,
      path: null,
    },
  ];
  if (name !== '') {
    commands.push({
      title: `Name it ${name}. BUILD_ID is the appBuildId that the first command prints`,
      cli: null,
      method: 'PATCH',
      path: `/v1/apps/${appId}/builds/BUILD_ID`,
      body: { displayName: name },
    });
  }
  const printed = 'DEPLOYMENT_ID is at the end of the address that the first command prints';
  if (!isWhole) {
    commands.push({
      title: `Give it to ${percents} % of devices. ${printed}`,
      cli: null,
      method: 'PATCH',
      path: deployment,
      body: { rolloutPercentage: share },
    });
  }
  if (plan !== null) {
    commands.push(
      {
        title: `Give it the plan. ${printed}`,
        cli: null,
        method: 'PUT',
        path: `${deployment}/rollout-plan`,
        body: plan,
      },
      {
        title: requiredApprovals > 0 ? 'Start the plan, after the approval' : 'Start the plan',
        cli: null,
        method: 'POST',
        path: `${deployment}/rollout-plan/start`,
      },
    );
  }
  return commands;
}
