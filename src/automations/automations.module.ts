import { Module } from '@nestjs/common';
import { GitHooksModule } from './git-hooks/git-hooks.module.js';
import { GitLooksModule } from './git-looks/git-looks.module.js';
import { AutomationsModule } from './automations/automations.module.js';

@Module({ imports: [AutomationsModule, GitHooksModule, GitLooksModule] })
export class AutomationsAreaModule {}
