import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Device, Goal, Remedy } from '../../api/types';
import { CommandLine, quote } from '../../parts/command';
import { decidedName } from './outcome';

/** A remedy that takes more than one request: what to do, in the words of docs/guides/no-update.md. */
interface Guide {
  readonly steps: readonly string[];
  /** Commands of the command-line tool. */
  readonly commands?: readonly string[];
}

/** Explains a remedy that no button carries out. */
export function GuideDialog({
  remedy,
  device,
  goal,
  title,
  onClose,
}: {
  remedy: Remedy;
  device: Device;
  goal: Goal;
  title: string;
  onClose: () => void;
}): ReactNode {
  const { steps, commands = [] } = guideOf(remedy, device, goal);
  return (
    <Modal opened onClose={onClose} title={title} size={560} centered>
      <div className="stack">
        <p className="bidi">{remedy.message}</p>
        <ol className="steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {commands.map((command) => (
          <CommandLine key={command} text={`npx @capawesome/cli ${command}`} />
        ))}
        <p className="small muted">
          The guide <code>docs/guides/no-update.md</code> of Slipway has the whole list.
        </p>
      </div>
    </Modal>
  );
}

const CHECK = 'The device gets it with the next check after that.';

function guideOf(
  { remedy, required, actual }: Remedy,
  { appId, platform }: Device,
  { channel, deployment }: Goal,
): Guide {
  const name = deployment === null ? 'the release' : decidedName(deployment);
  const to = `--app-id ${appId} --channel ${quote(channel?.name ?? '')}`;
  const upload = `apps:liveupdates:upload ${to} --path dist`;
  const constraints: Guide = {
    steps: [
      `The release is for other native versions than that of this device. Update the app on the device from the store, if a newer one is there.`,
      `Or change the native versions that ${name} is for, if its code runs in this one, too. All devices with that version get it then.`,
    ],
    ...(deployment?.appBuildId != null && {
      commands: [
        `apps:liveupdates:setnativeversions --app-id ${appId} --build-id ${deployment.appBuildId} ${constraintOf(platform, remedy, actual)}`,
      ],
    }),
  };
  switch (remedy) {
    case 'raise-native-version':
    case 'lower-native-version':
      return constraints;
    case 'change-native-version':
      return {
        steps: [
          `The binary of the native version ${required} contains the code of ${name} already: the device has it.`,
          'Publish something newer for it, or change the excluded native version of the build.',
        ],
        commands: [upload],
      };
    case 'deploy':
      return {
        steps: ['Publish a newer build, or deploy one that is there.', CHECK],
        commands: [upload],
      };
    case 'publish-bundle':
      return { steps: ['The upload did not finish: publish it again.', CHECK], commands: [upload] };
    case 'sign-bundle':
      return {
        steps: [
          'The channel is protected: devices get signed bundles from it only. Publish with the private key that belongs to the public key in the app.',
          CHECK,
        ],
        commands: [`${upload} --private-key private.pem`],
      };
    case 'support-type':
      return {
        steps: [
          'Electron and old plugins install zips only. Publish the release as a zip, or update the plugin in the app and publish the app in the store.',
          CHECK,
        ],
        commands: [`${upload} --artifact-type zip`],
      };
    case 'register-checksum':
      return {
        steps: [
          'Old plugins on Android need the checksum of a zip that you host. Register it again with its file, from which the command-line tool computes the checksum.',
          CHECK,
        ],
        commands: [
          `apps:liveupdates:register ${to} --url https://cdn.example.com/bundle.zip --path bundle.zip`,
        ],
      };
    case 'repair-bundle':
      return {
        steps: [
          'Stored files of the bundle are damaged. Publish the same files again, in any bundle: what is stored is replaced, and the damaged bundle is whole again.',
          'Find out why the storage lost them: the log of the server and the events of the app name the files.',
        ],
        commands: [upload],
      };
    case 'change-files':
      return {
        steps: [
          'The device would copy files of the bundle that it runs, although their content differs. Give files names that change with their content, as web builds do with hashes, and publish again.',
          'Or publish a zip: it copies nothing.',
        ],
        commands: [upload, `${upload} --artifact-type zip`],
      };
    default:
      return {
        steps: [
          'The device runs a bundle of another server. Import the manifest of that bundle, so that Slipway knows which of its files are the same.',
          'Or set withholdFromUnknownBundles of the app to false, if you know that such bundles have file names that change with their content.',
        ],
      };
  }
}

/** The option that lets the native version of the device in. */
function constraintOf(platform: number, remedy: Remedy['remedy'], actual: Remedy['actual']): string {
  const system = ['android', 'ios', 'electron'][platform] ?? 'android';
  return `--${system}-${remedy === 'raise-native-version' ? 'min' : 'max'} ${quote(String(actual ?? ''))}`;
}
