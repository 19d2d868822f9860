import type { FailureRule } from '../failure-rule.js';

const CERTIFICATE = 'Upload the keystore once more as a certificate, with the right passwords and alias.';

/** What keytool, jarsigner, apksigner and Gradle say about keystores. */
export const signingRules: readonly FailureRule[] = [
  {
    name: 'signing-store-password',
    mark: /[Kk]eystore was tampered with, or password was incorrect|keystore password was incorrect/,
    cause: () => 'The password of the keystore is wrong, or the file is damaged.',
    advice: [
      CERTIFICATE,
      'If Gradle itself signs, check storePassword and storeFile in build.gradle, and the secrets that they read.',
    ],
  },
  {
    name: 'signing-key-password',
    mark: /Cannot recover key|key associated with \S{1,200} not a private key|Get Key failed: /,
    cause: () => 'The password of the key is wrong: the keystore opens, and its key does not.',
    advice: [
      CERTIFICATE,
      'If Gradle itself signs, check keyPassword in build.gradle, and the secret that it reads.',
    ],
  },
  {
    name: 'signing-alias',
    mark: /(?:No key with alias '|[Cc]ertificate chain not found for: |\bentry ")([^\s'"]{1,200}?)(?:' found|" does not contain a key|\.\s|$)/,
    cause: (detail) => `The keystore has no key ${detail ?? 'with this alias'}.`,
    advice: [CERTIFICATE, 'keytool -list -keystore <file> lists the aliases.'],
  },
  {
    name: 'signing-damaged',
    mark: /^(?:Caused by: )?java\.io\.EOFException$|toDerInputStream rejects tag type|Invalid keystore format/,
    cause: () => 'The keystore is damaged, or is none.',
    advice: [
      'Upload the original file (PKCS#12 or JKS) as a certificate: text editors, and git without "binary" in .gitattributes, change such files.',
    ],
  },
  {
    name: 'signing-file-missing',
    mark: /jarsigner: unable to open (?:jar|jar file)|Keystore file '([^']{1,300})' not found for signing config/,
    cause: (detail) =>
      detail === undefined
        ? 'There is no package to sign.'
        : `build.gradle signs with ${detail.slice(detail.lastIndexOf('/') + 1)}, which is not in the repository.`,
    advice: [
      'Let Slipway sign: upload the keystore as a certificate, and remove signingConfig of the release type from build.gradle.',
    ],
  },
  {
    name: 'signing-signer',
    isGeneral: true,
    mark: /Failed to load signer/,
    cause: () => 'apksigner cannot use the key of the certificate.',
    shows: 3,
    advice: [CERTIFICATE],
  },
];
