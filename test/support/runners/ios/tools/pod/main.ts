import { runTool } from '../refused.ts';
import { pod } from './pod.ts';

void runTool('pod', pod);
