import type { en } from './en.ts';

export const fr: Readonly<Record<keyof typeof en, string>> = {
  'groups.mine': 'Mes groupes',
  'groups.about': 'Ce qui est partagé avec un groupe est visible par tous ses membres.',
  'groups.none': 'Vous n’êtes encore dans aucun groupe',
  'groups.role.manager': 'Gestionnaire',
  'groups.role.member': 'Membre',
  'groups.role-of': 'Rôle de {name}',
  'groups.invited': 'Invité',
  'groups.withdraw': 'Retirer l’invitation à {name}',
  'groups.was-invited': '{name} a été invité.',
  'groups.invite-about':
    'Invitez des personnes par leur nom d’utilisateur. Elles deviennent membres quand elles acceptent.',
  'groups.items': 'Partagé avec ce groupe',
  'groups.no-items': 'Rien n’est encore partagé avec ce groupe',
  'groups.leave': 'Quitter',
  'groups.leave-title': 'Quitter le groupe « {name} » ?',
  'groups.leave-text':
    'Vous ne verrez plus ce qui n’est partagé qu’avec ce groupe. Pour y revenir, il faudra une nouvelle invitation.',
  'groups.left': 'Vous avez quitté le groupe.',
};
