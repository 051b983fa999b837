import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  'groups.mine': 'Meine Gruppen',
  'groups.about': 'Was mit einer Gruppe geteilt ist, sehen alle ihre Mitglieder.',
  'groups.none': 'Sie sind noch in keiner Gruppe',
  'groups.role.manager': 'Leitung',
  'groups.role.member': 'Mitglied',
  'groups.role-of': 'Rolle von {name}',
  'groups.invited': 'Eingeladen',
  'groups.withdraw': 'Einladung von {name} zurückziehen',
  'groups.was-invited': '{name} wurde eingeladen.',
  'groups.invite-about': 'Laden Sie Personen mit ihrem Benutzernamen ein. Mitglied werden sie, wenn sie zusagen.',
  'groups.items': 'Mit dieser Gruppe geteilt',
  'groups.no-items': 'Mit dieser Gruppe ist noch nichts geteilt',
  'groups.leave': 'Verlassen',
  'groups.leave-title': 'Die Gruppe „{name}“ verlassen?',
  'groups.leave-text':
    'Was nur mit dieser Gruppe geteilt ist, sehen Sie dann nicht mehr. Um zurückzukommen, müssen Sie neu eingeladen werden.',
  'groups.left': 'Sie haben die Gruppe verlassen.',
};
