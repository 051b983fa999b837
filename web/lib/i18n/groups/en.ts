// Texts of groups. The other languages have the same keys.

export const en = {
  'groups.mine': 'My groups',
  'groups.about': 'When you share with a group, all of its members can see it.',
  'groups.none': 'You are not in a group yet',
  'groups.role.manager': 'Manager',
  'groups.role.member': 'Member',
  'groups.role-of': 'Role of {name}',
  'groups.invited': 'Invited',
  'groups.withdraw': 'Withdraw the invitation of {name}',
  'groups.was-invited': '{name} was invited.',
  'groups.invite-about': 'Invite people by user name. They become members when they accept.',
  'groups.items': 'Shared with this group',
  'groups.no-items': 'Nothing has been shared with this group yet',
  'groups.leave': 'Leave',
  'groups.leave-title': 'Leave the group “{name}”?',
  'groups.leave-text':
    'You will no longer see items shared only with this group. To come back, you have to be invited again.',
  'groups.left': 'You left the group.',
} as const satisfies Record<string, string>;
