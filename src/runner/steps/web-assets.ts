import type { BuildProject } from './build-project.js';
import { inStep } from './machine-errors.js';
import { requireSubmodules } from './source/project-source.js';

/** Runs the web step of a project, if it has one. @throws StepError when it fails, or the project is not complete */
export async function buildWebAssets(project: BuildProject): Promise<void> {
  await inStep('source', () => requireSubmodules(project.source, project.files));
  const { webBuildCommand } = project.config;
  if (webBuildCommand === null) return;
  await inStep('build', () => project.execute('build', 'Building', webBuildCommand));
}
