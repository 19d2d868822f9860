import {
  type AndroidApp,
  ICON_PATH,
  manifestOf,
  pngIcon,
  type XmlElement,
} from './android/app-description.js';
import { binaryXml } from './android/binary-xml.js';
import { jarSignature } from './android/jar-signature.js';
import { resourceTable, resourcesOf, type TableType } from './android/resource-table.js';
import { withSigningBlock } from './android/signing-block.js';
import { zipOfEntries } from './android/zip-of-entries.js';

/** An apk to write. */
export interface ApkDescription extends AndroidApp {
  /** How it is signed; by default not at all. A signing block of `v2` and `v3` is read, but not accepted by devices. */
  readonly signed?: 'v1' | 'v2' | 'v3';
  /** Instead of the manifest and the resources that the other values make. */
  readonly manifest?: XmlElement;
  readonly resources?: readonly TableType[];
}

/** Writes an apk without code, which no tool is needed for. `aapt dump badging` reads it. */
export async function makeApk(app: ApkDescription = {}): Promise<Buffer> {
  const { packageName = 'com.example.app', label = 'Example', icon = pngIcon(), signed } = app;
  const entries: Record<string, Buffer> = {
    'AndroidManifest.xml': binaryXml(app.manifest ?? manifestOf(app)),
    'resources.arsc': resourceTable(packageName, app.resources ?? resourcesOf(label, icon)),
    ...(icon === null ? {} : { [ICON_PATH]: icon }),
    'classes.dex': Buffer.from('dex\n035\0'),
    ...app.entries,
  };
  const files = signed === undefined ? entries : { ...jarSignature(entries), ...entries };
  const apk = await zipOfEntries(files);
  if (signed === undefined || signed === 'v1') return apk;
  return withSigningBlock(apk, signed === 'v2' ? ['v2'] : ['v2', 'v3']);
}
