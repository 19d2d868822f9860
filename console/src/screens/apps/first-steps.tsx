import type { ReactNode } from 'react';
import { CommandLine, PointTheApp, quote } from '../../parts/command';

const CLI = 'npx @capawesome/cli';

/** What a new installation begins with: three steps, with their commands. */
export function FirstSteps({
  organizationId,
  onCreate,
}: {
  organizationId: string;
  onCreate: () => void;
}): ReactNode {
  const { origin } = location;
  return (
    <section>
      <h2>Your first live update</h2>
      <div className="card pad">
        <ol className="steps">
          <li>
            <b>Create an app.</b>{' '}
            <button type="button" className="button main" onClick={onCreate}>
              Create app
            </button>
          </li>
          <li>
            <b>Publish a folder.</b> Press Publish in the app and drop the folder that your web build has
            written. Or do both steps with the command-line tool, in the folder of your project:
            <CommandLine
              text={[
                `echo 'API_BASE_URL="${origin}"' > .capawesomerc`,
                `echo 'CONSOLE_BASE_URL="${origin}"' >> .capawesomerc`,
                `${CLI} login`,
                `${CLI} apps:create --name Shop --organization-id ${quote(organizationId)}`,
                `${CLI} apps:liveupdates:upload --path www --channel default --yes`,
              ].join('\n')}
            />
          </li>
          <li>
            <PointTheApp appId={null} />
          </li>
        </ol>
      </div>
    </section>
  );
}
