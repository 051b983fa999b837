import type { en } from './en.ts';

export const fr: Readonly<Record<keyof typeof en, string>> = {
  'groups.mine': 'Vos groupes',
  'groups.about': 'Ce qui est partagé avec un groupe est visible par tous ses membres.',
  'groups.none': 'Vous ne faites encore partie d’aucun groupe',
  'groups.role.manager': 'Gestionnaire',
  'groups.role.member': 'Membre',
  'groups.role-of': 'Rôle de {name}',
  'groups.invited': 'Invitation envoyée',
  'groups.withdraw': 'Retirer l’invitation de {name}',
  'groups.was-invited': '{name} a reçu une invitation.',
  'groups.invite-about': 'On invite par le nom d’utilisateur ; la personne devient membre dès qu’elle a accepté.',
  'groups.items': 'Partagé avec ce groupe',
  'groups.no-items': 'Rien n’est encore partagé avec ce groupe',
  'groups.leave': 'Quitter',
  'groups.leave-title': 'Quitter le groupe « {name} » ?',
  'groups.leave-text':
    'Vous ne verrez plus ce qui n’est partagé qu’avec ce groupe. Pour y revenir, il faudra une nouvelle invitation.',
  'groups.left': 'Vous avez quitté le groupe.',
};
