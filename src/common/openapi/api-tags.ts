import { ApiTags as SwaggerTags } from '@nestjs/swagger';

/**
 * The tags of the OpenAPI document with their descriptions, in the order in which a newcomer needs them: from the app to
 * its devices, then accounts and organizations. Swagger UI keeps the order.
 */
export const apiTags = {
  Apps: 'Mobile apps: start with one.',
  Channels: 'Named streams of deployments that devices follow.',
  Bundles: 'Uploading and publishing live updates.',
  Builds: 'Builds of apps and their artifacts.',
  Automations: 'Builds that pushes to a repository start.',
  Jobs: 'Work for runners, such as builds, and their logs.',
  Environments: 'Variables and secrets of builds.',
  Configurations: 'Names and identifiers that builds overwrite in native projects.',
  Certificates: 'Keys that builds sign with.',
  Destinations: 'Places in app stores that builds go to, and the keys that sign in there.',
  'Runner protocol': 'The requests of runners, with tokens of runners and jobs.',
  Deployments: 'Releases of builds to channels.',
  'Rollout plans': 'Raising the rollout percentage of a deployment step by step.',
  Devices: 'Devices that have checked for updates.',
  'Devices: live updates': 'The requests that devices send, without a token.',
  Decisions: 'Which bundle a device gets and why, and what a change would do.',
  Insights: 'Numbers of devices and downloads per day.',
  Runners: 'Programs that build, on machines of yours, and the requests that they send.',
  Users: 'The person or program behind a token.',
  Tokens: 'API tokens, the credentials of programs.',
  Sessions: 'Sign-ins of programs by a code, and active sessions.',
  Organizations: 'The tenants that own apps.',
  Members: 'The users of an organization and their roles.',
  Invitations: 'Offers to become a member.',
  Teams: 'Which members see which apps.',
  'License keys': 'Access to packages that the operator offers.',
  'Git connections': 'Git servers and the credentials for them.',
  Inbox: 'What waits for a person in an organization.',
  Events: 'What happens to apps and organizations, for webhooks and for programs that follow.',
  Webhooks: 'Addresses that get events.',
  'Audit log': 'Who changed what, and when.',
  Health: 'Liveness and readiness.',
} as const;

/** The tag of all operations of a controller. */
export function ApiTags(tag: keyof typeof apiTags): ClassDecorator {
  return SwaggerTags(tag);
}
