import type { en } from './en.ts';

export const es: Readonly<Record<keyof typeof en, string>> = {
  'groups.mine': 'Mis grupos',
  'groups.about': 'Lo que se comparte con un grupo lo ven todos sus miembros.',
  'groups.none': 'Todavía no está en ningún grupo',
  'groups.role.manager': 'Gestor',
  'groups.role.member': 'Miembro',
  'groups.role-of': 'Función de {name}',
  'groups.invited': 'Invitado',
  'groups.withdraw': 'Retirar la invitación a {name}',
  'groups.was-invited': 'Se ha invitado a {name}.',
  'groups.invite-about': 'Invite a personas por su nombre de usuario. Serán miembros cuando acepten.',
  'groups.items': 'Compartido con este grupo',
  'groups.no-items': 'Todavía no hay nada compartido con este grupo',
  'groups.leave': 'Abandonar',
  'groups.leave-title': '¿Abandonar el grupo «{name}»?',
  'groups.leave-text': 'Dejará de ver lo que solo se comparte con este grupo. Para volver necesitará otra invitación.',
  'groups.left': 'Ha abandonado el grupo.',
};
