/** What signs, as it was found on the machine of the runner. */
export interface SigningTools {
  /** Programs of the Android SDK; `null`: there are none. */
  readonly buildTools: { readonly apksigner: string; readonly zipalign: string } | null;
  readonly jdk: { readonly home: string; readonly major: number };
}

/** A package that a build has made. */
export interface SignableArtifact {
  readonly type: 'apk' | 'aab';
  /** In the folder `artifacts` of the job. */
  readonly path: string;
}
