import type { XmlNode } from './xml-node.js';

/** A value of a resource in one configuration. */
export interface ResourceValue {
  /** 0: any. */
  readonly density: number;
  /** Whether it is for any language and region. */
  readonly isDefault: boolean;
  /** A text, also the path of a file, or the id of another resource. */
  readonly value: string | number;
}

/** What each kind of package has in its own form. */
export interface AppPackage {
  readonly manifest: XmlNode;
  /** The values of a resource; empty: it has none that is a text, a file or a reference. */
  valuesOf(id: number): readonly ResourceValue[];
  /** A file that a resource names; `null`: there is none, or it is larger. */
  file(path: string, maxBytes: number): Promise<Buffer | null>;
  /** @throws Error when the file is no XML, TooMuchWorkError */
  parse(file: Buffer): XmlNode;
}
