import type { BuildOptions } from '../../build-options.js';
import { type BuildRun, variableOf } from '../../build-run.js';
import type { ProjectFolder } from '../../project/project-folder.js';
import { chooseNode, findNodeVersions, type NodeVersion } from '../node-versions.js';
import { downloadNode } from './download-node.js';
import type { NodeRange } from './node-ranges.js';
import { engineWarning, findWantedNode } from './wanted-node.js';

/**
 * The Node.js of a project: that of the variable `NODE_VERSION`, else what its files ask for. The log says which, and why.
 *
 * @param baseDir relative to the working copy, without links
 * @throws StepError when there is none
 */
export async function chooseProjectNode(
  run: BuildRun,
  options: BuildOptions,
  files: ProjectFolder,
  baseDir: string,
): Promise<NodeVersion> {
  const onNote = (line: string): void => run.log.line(line);
  const text = variableOf(run, 'NODE_VERSION')?.trim() ?? '';
  const wanted = text === '' ? await findWantedNode(files, baseDir) : { text, declaredBy: 'NODE_VERSION' };
  const download = (range: NodeRange): Promise<NodeVersion> =>
    downloadNode(range, options, run.signal, onNote);
  const versions = await findNodeVersions(options.nodeDir);
  const { node, line } = await chooseNode(versions, wanted, options.nodeDownloads ? download : null);
  onNote(line);
  const warning = await engineWarning(files, baseDir, node.version);
  if (warning !== null) onNote(warning);
  return node;
}
