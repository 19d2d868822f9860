import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildProject } from '../../../steps/build-project.js';
import { StepError } from '../../../steps/build-run.js';

const SCRIPT = 'gradlew';
const JAR = 'gradle/wrapper/gradle-wrapper.jar';
const MAX_BYTES = 1024 * 1024;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Checks the Gradle wrapper of a project, and makes it executable: a zip can have lost its mode.
 *
 * @param gradleDir relative to the working copy
 * @throws StepError when it cannot run, with what to do
 */
export async function prepareWrapper({ files, run }: BuildProject, gradleDir: string): Promise<void> {
  const script = join(gradleDir, SCRIPT);
  const text = await files.read('native', script, MAX_BYTES);
  if (text === null) {
    throw fail(`There is no ${script}: run "gradle wrapper" in this folder, and commit what it makes.`);
  }
  if (text.includes('\r\n')) {
    throw fail(
      `${script} has Windows line endings (CRLF), so it does not run: add the line "gradlew text eol=lf" to .gitattributes, run "git add --renormalize ${script}" and commit.`,
    );
  }
  if ((await files.resolve('native', join(gradleDir, JAR))) === null) {
    throw fail(
      `There is no ${join(gradleDir, JAR)}: remove "*.jar" from .gitignore, or add the line "!gradle-wrapper.jar", and commit the file.`,
    );
  }
  const file = await open((await files.resolve('native', script)) ?? script, READ_FLAGS);
  try {
    const { mode } = await file.stat();
    if ((mode & 0o111) === 0o111) return;
    await file.chmod(0o755);
    run.log.line(`Made ${script} executable`);
  } finally {
    await file.close();
  }
}

function fail(message: string): StepError {
  return new StepError('native', message);
}
