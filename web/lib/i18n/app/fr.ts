import type { en } from './en.ts';

export const fr: Readonly<Record<keyof typeof en, string>> = {
  'app.content': 'Contenu',
  'app.empty': 'Ce tableau de bord n’a pas encore de contenu.',
  'app.data': 'Contenu (JSON)',
  'app.data-hint':
    'La configuration d’une visionneuse est affichée comme une carte, un récit comme un récit, tout le reste comme une liste.',
  'app.not-json': 'JSON non valide : {reason}',
  'app.take-map': 'Importer une carte',
  'app.preview': 'Aperçu pour les lecteurs',
  'app.layers-missing.one': '{n} couche de ce tableau de bord n’existe plus ou n’est pas partagée avec vous.',
  'app.layers-missing.other': '{n} couches de ce tableau de bord n’existent plus ou ne sont pas partagées avec vous.',
  'data.entries.one': '{n} entrée',
  'data.entries.other': '{n} entrées',
  'data.more': '{n} de plus ne sont pas affichées',
  'data.yes': 'Oui',
  'data.no': 'Non',
  'data.nothing': 'rien',
};
