import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../processes/temporary-folders.js';
import { FRAMEWORK } from './android-tools.js';

const CLASS = `.class public Lcom/example/shop/Main;
.super Landroid/app/Activity;
.method public constructor <init>()V
  .registers 1
  invoke-direct {p0}, Landroid/app/Activity;-><init>()V
  return-void
.end method
`;

/** Makes a real APK with the tools of Debian, neither aligned nor signed. @param minSdk 23 needs a signature of scheme 1, too */
export async function makeUnsignedApk(minSdk = 23): Promise<Buffer> {
  const cwd = await temporaryFolder();
  const write = (path: string, content: string): void => {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), content);
  };
  write(
    'AndroidManifest.xml',
    `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.shop" android:versionCode="7" android:versionName="1.2.3"><uses-sdk android:minSdkVersion="${minSdk}" android:targetSdkVersion="33"/><application android:label="Shop"><activity android:name=".Main" android:exported="true"/></application></manifest>`,
  );
  write('smali/Main.smali', CLASS);
  write('assets/public/index.html', '<h1>Shop</h1>');
  write('lib/arm64-v8a/libshop.so', 'x'.repeat(5000));
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  run('aapt', 'package', '-f', '-M', 'AndroidManifest.xml', '-A', 'assets', '-I', FRAMEWORK, '-F', 'app.apk');
  run('smali', 'assemble', '--api', String(minSdk), '-o', 'classes.dex', 'smali/');
  run('aapt', 'add', '-0', 'so', 'app.apk', 'classes.dex', 'lib/arm64-v8a/libshop.so');
  return readFileSync(join(cwd, 'app.apk'));
}
