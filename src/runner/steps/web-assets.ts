import type { BuildProject } from './build-project.js';
import { inStep } from './machine-errors.js';

/** Runs the web step of a project, if it has one. @throws StepError when it fails */
export async function buildWebAssets(project: BuildProject): Promise<void> {
  const { webBuildCommand } = project.config;
  if (webBuildCommand === null) return;
  await inStep('build', () => project.execute('build', 'Building', webBuildCommand));
}
