import { build } from 'plist';

/** What a device installs. */
export interface IosApp {
  /** Absolute address of the ipa. */
  readonly url: string;
  readonly displayName: string;
  readonly packageName: string;
  readonly packageVersion: string;
}

/**
 * The property list by which devices install an app from a web page. Its keys are described in Apple Platform Deployment,
 * "Distribute proprietary in-house apps to Apple devices", and in the device management documentation, "ManifestURL": one
 * item with the asset `software-package`, and the metadata `bundle-identifier`, `bundle-version`, `kind` and `title`. The
 * pictures `display-image` and `full-size-image` are optional.
 */
export function makeManifest({ url, displayName, packageName, packageVersion }: IosApp): string {
  return build({
    items: [
      {
        assets: [{ kind: 'software-package', url }],
        metadata: {
          'bundle-identifier': packageName,
          'bundle-version': packageVersion,
          kind: 'software',
          title: displayName,
        },
      },
    ],
  });
}
