import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProjectFolder } from '../../../steps/project/project-folder.js';
import { findApplicationModule } from './application-module.js';
import { findPluginVersion } from './plugin-version.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-gradle-'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<ProjectFolder> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return ProjectFolder.at(root);
}

describe('findPluginVersion', () => {
  it.each<[string, Record<string, string>, string | null]>([
    ['a classpath', { 'build.gradle': "classpath 'com.android.tools.build:gradle:8.7.2'" }, '8.7.2'],
    [
      'a classpath with a variable',
      {
        'build.gradle': 'classpath "com.android.tools.build:gradle:$agpVersion"',
        'variables.gradle': "ext {\n  agpVersion = '8.2.1'\n}",
      },
      '8.2.1',
    ],
    [
      'plugins of Groovy',
      { 'build.gradle': "id 'com.android.application' version '8.1.0' apply false" },
      '8.1.0',
    ],
    [
      'plugins of Kotlin',
      { 'build.gradle.kts': 'id("com.android.application") version "8.13.0" apply false' },
      '8.13.0',
    ],
    [
      'a version catalog',
      {
        'build.gradle.kts': 'alias(libs.plugins.android.application) apply false',
        'gradle/libs.versions.toml':
          '[versions]\nagp = "8.9.1"\n[plugins]\nandroid-application = { id = "com.android.application", version.ref = "agp" }',
      },
      '8.9.1',
    ],
    [
      'a version catalog with a version',
      { 'gradle/libs.versions.toml': 'app = { id = "com.android.application", version = "8.4.0" }' },
      '8.4.0',
    ],
    ['Cordova', { 'cdv-gradle-config.json': '{"AGP_VERSION":"8.3.0"}' }, '8.3.0'],
    ['a comment', { 'build.gradle': "// classpath 'com.android.tools.build:gradle:4.1.0'" }, null],
    ['nothing', {}, null],
  ])('reads it from %s', async (_case, files, expected) => {
    expect(await findPluginVersion(await write(files), '')).toBe(expected);
  });
});

describe('findApplicationModule', () => {
  const app = "apply plugin: 'com.android.application'";
  const library = "apply plugin: 'com.android.library'";

  it('takes the only app, wherever it is, and no library', async () => {
    const files = await write({
      'build.gradle': "plugins { id 'com.android.application' version '8.5.0' apply false }",
      'lib/build.gradle': library,
      'mobile/shop/build.gradle.kts': 'plugins { alias(libs.plugins.android.application) }',
    });
    const expected = { dir: 'mobile/shop', path: ':mobile:shop', buildFile: 'build.gradle.kts' };
    expect(await findApplicationModule(files, '')).toEqual(expected);
  });

  it('takes "app" of several, and of those whose plugin is their own', async () => {
    const files = await write({ 'wear/build.gradle': app, 'app/build.gradle': app });
    expect(await findApplicationModule(files, '')).toMatchObject({ path: ':app' });
    await rm(join(root, 'wear'), { recursive: true });
    await writeFile(join(root, 'app/build.gradle'), "plugins { id 'acme.android' }");
    expect(await findApplicationModule(files, '')).toMatchObject({ path: ':app' });
  });

  it('names several of which none is usual, and says that there is none', async () => {
    const files = await write({
      'one/build.gradle': app,
      'two/build.gradle': app,
      'lib/build.gradle': library,
    });
    await expect(findApplicationModule(files, '')).rejects.toThrow(
      'Several modules in the repository are apps (one, two), and none of them is called "app".',
    );
    await rm(join(root, 'one'), { recursive: true });
    await rm(join(root, 'two'), { recursive: true });
    await expect(findApplicationModule(files, '')).rejects.toThrow(
      'No module in the repository applies the plugin com.android.application.',
    );
  });
});
