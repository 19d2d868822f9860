import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Android's framework without Google's SDK: the package android-framework-res of Debian. */
export const FRAMEWORK = '/usr/share/android-framework-res/framework-res.apk';

/** Whether this machine has what makes, signs and verifies APKs. Where it has not, the tests are skipped. */
export const hasAndroidTools =
  existsSync(FRAMEWORK) &&
  ['aapt', 'apksigner', 'zipalign', 'smali', 'keytool', 'jarsigner'].every(isInstalled);
if (!hasAndroidTools) {
  process.stderr.write(
    'Skipped: Android needs apt-get install aapt android-framework-res apksigner smali zipalign openjdk-17-jdk-headless.\n',
  );
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}
