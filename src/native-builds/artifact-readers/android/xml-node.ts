/** A value of an attribute. At most one of the last three is set. */
export interface XmlAttribute {
  /** As it was written, or compiled, if it is a text. */
  readonly text: string | null;
  /** The id of a resource. */
  readonly reference: number | null;
  readonly integer: number | null;
  readonly boolean: boolean | null;
}

/** An element of a manifest or a drawable, which each kind of package has in its own form. */
export interface XmlNode {
  readonly name: string;
  /** By the id of the attribute, as in `android.R.attr`; by its name where it has none. */
  readonly attributes: ReadonlyMap<number | string, XmlAttribute>;
  readonly children: readonly XmlNode[];
}

/** Ids of attributes. */
export const ATTRIBUTE = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  drawable: 0x01010199,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  required: 0x0101028e,
  versionCodeMajor: 0x01010576,
} as const;

/** Elements below this level are not read: nothing of them is needed. The root is level 1. */
export const MAX_LEVEL = 3;
