import { type Html, html } from '../pages/views/html.js';
import { copyable } from '../pages/views/layout.js';
import type { AppOverview } from './start-page.service.js';

const CLI = 'npx @capawesome/cli';

/** Names that need no escaping in a shell and a URL. Others could be commands themselves. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.-]*$/;

/** A step of instructions: a sentence, and the commands to copy. */
interface Step {
  readonly text: string;
  readonly lines: readonly string[];
}

/** Instructions for the first app. @param origin of this server */
export function firstAppSteps(origin: string, organization: { id: string; name: string }): Html {
  return steps([
    connect(origin),
    {
      text: `Create an app in ${organization.name}. Then reload this page to see the commands for your first update.`,
      lines: [`${CLI} apps:create --name Shop \\`, `  --organization-id ${organization.id}`],
    },
  ]);
}

/** Instructions for an update of an app. @param origin of this server */
export function updateSteps(origin: string, app: AppOverview): Html {
  const existing = app.channels.find(({ name }) => PLAIN_NAME.test(name))?.name;
  const channel = existing ?? 'production';
  const create = [`${CLI} apps:channels:create \\`, `  --app-id ${app.id} --name ${channel}`];
  const upload = [
    `${CLI} apps:liveupdates:upload \\`,
    `  --app-id ${app.id} \\`,
    `  --channel ${channel} --path www --yes`,
  ];
  const query = `platform=0&appVersionCode=1&deviceId=my-phone&channelName=${channel}`;
  return steps([
    connect(origin),
    {
      text: 'Build your web app into the folder www. To try it out, one file is enough.',
      lines: ['mkdir -p www', `echo '<!doctype html><h1>Hello</h1>' > www/index.html`],
    },
    {
      text: `Publish it to the channel ${channel}. Ignore the link that the tool prints: it leads to the hosted service.`,
      lines: existing === undefined ? [...create, ...upload] : upload,
    },
    {
      text: 'Ask as a device which bundle to run.',
      lines: [`curl "${origin}/v1/apps/${app.id}/bundles/latest?${query}"`],
    },
  ]);
}

function connect(origin: string): Step {
  return {
    text: 'In the folder of your project, point the command-line tool at this server and sign in. It asks you to confirm a code in this browser.',
    lines: [
      `echo 'API_BASE_URL="${origin}"' > .capawesomerc`,
      `echo 'CONSOLE_BASE_URL="${origin}"' >> .capawesomerc`,
      `${CLI} login`,
    ],
  };
}

function steps(list: readonly Step[]): Html {
  return html`<ol class="steps">
    ${list.map(
      ({ text, lines }) =>
        html`<li>
          <p>${text}</p>
          ${copyable(lines)}
        </li>`,
    )}
  </ol>`;
}
