import { encode } from 'fast-png';

/** Ids of the attributes that apps have, as in `android.R.attr`. */
export const ATTRIBUTES = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  required: 0x0101028e,
  drawable: 0x01010199,
  versionCodeMajor: 0x01010576,
} as const;
export type AttributeName = keyof typeof ATTRIBUTES | 'package';

/** A reference to a resource of the app. */
export interface Reference {
  readonly reference: number;
}
export type AttributeValue = string | number | boolean | Reference;

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Partial<Record<AttributeName, AttributeValue | undefined>>>;
  readonly children?: readonly XmlElement[];
}

/** An Android app to write. Everything has a default. */
export interface AndroidApp {
  readonly packageName?: string;
  readonly versionName?: string;
  readonly versionCode?: number;
  readonly versionCodeMajor?: number;
  readonly label?: string;
  readonly minSdk?: number;
  readonly targetSdk?: number;
  readonly debuggable?: boolean;
  /** By their names, whether they are required. */
  readonly features?: Readonly<Record<string, boolean>>;
  /** PNG or WebP; `null`: none. */
  readonly icon?: Buffer | null;
  /** Further entries of the zip. */
  readonly entries?: Readonly<Record<string, Buffer>>;
}

/** The resources of a written app: type 1 are strings, type 2 icons. */
export const LABEL_ID = 0x7f010000;
export const ICON_ID = 0x7f020000;
export const ICON_PATH = 'res/mipmap-xxhdpi-v4/icon.png';

/** A square of one colour. */
export function pngIcon(size = 48, colour: readonly [number, number, number] = [17, 94, 163]): Buffer {
  const data = new Uint8Array(size * size * 3);
  for (let at = 0; at < data.length; at++) data[at] = colour[at % 3] ?? 0;
  return Buffer.from(encode({ width: size, height: size, data, channels: 3, depth: 8 }));
}

/** The manifest of an app. */
export function manifestOf(app: AndroidApp): XmlElement {
  const features = Object.entries(app.features ?? {});
  return {
    name: 'manifest',
    attributes: {
      versionCode: app.versionCode ?? 1,
      versionName: app.versionName ?? '1.0.0',
      package: app.packageName ?? 'com.example.app',
      versionCodeMajor: app.versionCodeMajor,
    },
    children: [
      {
        name: 'uses-sdk',
        attributes: { minSdkVersion: app.minSdk ?? 23, targetSdkVersion: app.targetSdk ?? 35 },
      },
      ...features.map(([name, required]) => ({ name: 'uses-feature', attributes: { name, required } })),
      {
        name: 'application',
        attributes: {
          label: { reference: LABEL_ID },
          icon: app.icon === null ? undefined : { reference: ICON_ID },
          debuggable: app.debuggable,
        },
      },
    ],
  };
}
