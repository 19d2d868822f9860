import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests about members, invitations, teams and git connections. */
export const organizationConflicts = {
  last_owner: {
    status: 409,
    message: 'This is the last owner of the organization: make another member an owner first.',
    meaning: 'The organization would have no owner.',
    action: 'Make another member an owner first, or delete the organization.',
  },
  already_member: {
    status: 409,
    message: 'This user is a member of the organization already.',
    meaning: 'The user is already a member of the organization.',
    action: "Change the member's role instead.",
  },
  already_invited: {
    status: 409,
    message: 'This e-mail address is invited already.',
    meaning: 'There is an open invitation for this email address.',
    action: 'Wait, or revoke it first.',
  },
  invitation_accepted: {
    status: 409,
    message: 'The invitation has been accepted already.',
    meaning: 'The invitation was already accepted.',
    action: 'Nothing. To end the membership, remove the member.',
  },
  invitation_rejected: {
    status: 409,
    message: 'The invitation has been rejected.',
    meaning: 'The invitation was rejected.',
    action: 'Invite again.',
  },
  invitation_revoked: {
    status: 409,
    message: 'The invitation has been revoked.',
    meaning: 'The invitation was revoked, or replaced after it had expired.',
    action: 'Ask for another one.',
  },
  invitation_expired: {
    status: 409,
    message: 'The invitation has expired.',
    meaning: 'The invitation is older than seven days.',
    action: 'Ask for another one.',
  },
  team_name_taken: {
    status: 409,
    message: 'A team with this name already exists.',
    meaning: 'The organization already has a team with this name, ignoring case.',
    action: 'Choose another name.',
  },
  git_connection_name_taken: {
    status: 409,
    message: 'A git connection with this name already exists.',
    meaning: 'The organization already has a git connection with this name, ignoring case.',
    action: 'Choose another name.',
  },
  app_already_in_team: {
    status: 409,
    message: 'The app is in this team already.',
    meaning: 'The app is already assigned to the team.',
    action: 'Nothing.',
  },
  member_already_in_team: {
    status: 409,
    message: 'The member is in this team already.',
    meaning: 'The member is already in the team.',
    action: 'Nothing.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
