import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  'groups.mine': 'Ihre Gruppen',
  'groups.about': 'Was mit einer Gruppe geteilt ist, sehen alle ihre Mitglieder.',
  'groups.none': 'Sie sind noch in keiner Gruppe',
  'groups.role.manager': 'Leitung',
  'groups.role.member': 'Mitglied',
  'groups.role-of': 'Rolle von {name}',
  'groups.invited': 'Eingeladen',
  'groups.withdraw': 'Einladung von {name} zurückziehen',
  'groups.was-invited': '{name} wurde eingeladen.',
  'groups.invite-about': 'Eingeladen wird mit dem Benutzernamen; Mitglied ist, wer zugesagt hat.',
  'groups.items': 'Mit dieser Gruppe geteilt',
  'groups.no-items': 'Mit dieser Gruppe ist noch nichts geteilt',
  'groups.leave': 'Verlassen',
  'groups.leave-title': 'Die Gruppe „{name}“ verlassen?',
  'groups.leave-text':
    'Was nur mit dieser Gruppe geteilt ist, sehen Sie dann nicht mehr. Zurück kommen Sie nur mit einer neuen Einladung.',
  'groups.left': 'Sie haben die Gruppe verlassen.',
};
