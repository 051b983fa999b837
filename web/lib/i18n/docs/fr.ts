import type { en } from './en.ts';

export const fr: Readonly<Record<keyof typeof en, string>> = {
  'help.this-page': 'Aide sur cette page',
  'docs.title': 'Documentation',
  'docs.search': 'Chercher dans la documentation',
  'docs.contents': 'Sommaire',
  'docs.chapter.using': 'Utiliser le portail',
  'docs.chapter.portal': 'Les services du portail',
  'docs.page-in-english': 'Cette page n’existe qu’en anglais.',
  'docs.section-in-english': 'Ce qui suit est en anglais : la traduction n’est pas encore à jour.',
  'docs.chapter.rest': 'Le service REST',
  'docs.chapter.operation': 'L’exploitation',
  'docs.results': 'Résultats dans la documentation',
  'docs.found.one': '{n} passage',
  'docs.found.other': '{n} passages',
  'docs.none-found': 'Aucun résultat',
  'docs.none-found-text':
    'Essayez d’autres mots, ou moins de mots. Ce qui s’adresse aux développeurs et aux exploitants n’existe qu’en anglais.',
  'docs.next': 'Suite :',
  'docs.link-here': 'Lien vers cette section',
  'docs.copy': 'Copier cet exemple',
  'docs.table': 'Tableau',
  'docs.run': 'Exécuter',
  'docs.run-again': 'Exécuter à nouveau',
  'docs.address': 'Adresse de la requête',
  'docs.write-title': 'Exécuter une requête qui écrit ?',
  'docs.write-text': 'Cet exemple modifie des données de ce portail, au nom de {name}.',
  'docs.write-as-visitor':
    'Cet exemple modifie des données de ce portail, si les visiteurs le peuvent. Vous n’êtes pas connecté.',
  'docs.no-such-table':
    'Les exemples utilisent des tables que ce portail n’a pas forcément. Mettez dans l’adresse le nom de l’une des vôtres ; elles sont toutes ici :',
  'docs.cut': 'La réponse est plus longue ; en voici le début.',
  'tour.title': 'Premiers pas',
  'tour.invitation': 'Nouveau ici ?',
  'tour.invitation-text': 'Une courte visite montre l’essentiel : trouver, cartographier, ajouter et partager.',
  'tour.start': 'Commencer la visite',
  'tour.refuse': 'Non, merci',
  'tour.end': 'Terminer la visite',
  'tour.next': 'Suivant',
  'tour.step': 'Étape {n} sur {of}',
  'tour.search.title': 'Trouver',
  'tour.search.text':
    'Commencez à taper : le catalogue montre les éléments correspondants qui sont partagés avec vous.',
  'tour.facets.title': 'Affiner',
  'tour.facets.text':
    'Des filtres par type, mot-clé, région, propriétaire, date et zone. Ils font partie de l’adresse : vous pouvez envoyer vos résultats à quelqu’un.',
  'tour.viewer.title': 'Créer une carte',
  'tour.viewer.text':
    'Ajoutez des couches, ordonnez-les, changez leur style, consultez leurs lignes, mesurez et imprimez. Enregistrez la carte pour que d’autres puissent l’ouvrir.',
  'tour.add.title': 'Ajouter vos données',
  'tour.add.text':
    'Déposez des fichiers ici. Ce que vous ajoutez est privé jusqu’à ce que vous le partagiez sur sa page.',
  'tour.api.title': 'Chaque couche est une API',
  'tour.api.text':
    'Des tables et des fonctions pour les programmes : essayez des requêtes ici et copiez-les sous forme de code.',
  'tour.help.title': 'L’aide est toujours ici',
  'tour.help.text':
    'Le point d’interrogation ouvre la documentation de la page où vous êtes et relance cette visite. Les exemples de la documentation s’exécutent en votre nom.',
};
