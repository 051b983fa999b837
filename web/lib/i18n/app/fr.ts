import type { en } from './en.ts';

export const fr: Readonly<Record<keyof typeof en, string>> = {
  'app.content': 'Contenu',
  'app.empty': 'Ce tableau de bord n’a pas encore de contenu.',
  'app.data': 'Contenu (JSON)',
  'app.data-hint':
    'La configuration d’une visionneuse est dessinée comme une carte, un récit comme un récit ; tout le reste est affiché comme une liste.',
  'app.not-json': 'Ce n’est pas du JSON : {reason}',
  'app.take-map': 'Reprendre une carte',
  'app.preview': 'Tel que les lecteurs le verront',
  'app.layers-missing.one': '{n} couche de ce tableau de bord a disparu ou n’est pas partagée avec vous.',
  'app.layers-missing.other': '{n} couches de ce tableau de bord ont disparu ou ne sont pas partagées avec vous.',
  'data.entries.one': '{n} entrée',
  'data.entries.other': '{n} entrées',
  'data.more': '{n} de plus ne sont pas affichées',
  'data.yes': 'Oui',
  'data.no': 'Non',
  'data.nothing': 'rien',
};
