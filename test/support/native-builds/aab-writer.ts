import {
  type AndroidApp,
  ICON_PATH,
  manifestOf,
  pngIcon,
  type XmlElement,
} from './android/app-description.ts';
import { jarSignature } from './android/jar-signature.ts';
import { protoTable, protoXml } from './android/proto-messages.ts';
import { resourcesOf, type TableType } from './android/resource-table.ts';
import { zipOfEntries } from './android/zip-of-entries.ts';

/** An aab to write. */
export interface AabDescription extends AndroidApp {
  /** As `jarsigner` does; by default not at all. */
  readonly signed?: boolean;
  /** Instead of the manifest and the resources that the other values make. */
  readonly manifest?: XmlElement;
  readonly resources?: readonly TableType[];
}

/** Writes an aab with the layout of bundletool, and without code. */
export async function makeAab(app: AabDescription = {}): Promise<Buffer> {
  const { packageName = 'com.example.app', label = 'Example', icon = pngIcon(), signed = false } = app;
  const entries: Record<string, Buffer> = {
    // The version of bundletool: 1.15.6.
    'BundleConfig.pb': Buffer.from('0a081206312e31352e36', 'hex'),
    'base/manifest/AndroidManifest.xml': protoXml(app.manifest ?? manifestOf(app)),
    'base/resources.pb': protoTable(packageName, app.resources ?? resourcesOf(label, icon)),
    ...(icon === null ? {} : { [`base/${ICON_PATH}`]: icon }),
    'base/dex/classes.dex': Buffer.from('dex\n035\0'),
    ...app.entries,
  };
  return zipOfEntries(signed ? { ...jarSignature(entries), ...entries } : entries);
}
