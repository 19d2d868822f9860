/** A target of an Xcode project that gets a profile: an app, an extension, a watch app or an app clip. */
export interface TargetToSign {
  readonly name: string;
  readonly bundleId: string;
}
