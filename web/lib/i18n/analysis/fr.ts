import type { en } from './en.ts';

export const fr: Readonly<Record<keyof typeof en, string>> = {
  'process.button': 'Analyser',
  'process.title': 'Une nouvelle couche à partir de celle-ci',
  'process.which': 'Ce qui est fait',
  'process.preview': 'Aperçu',
  'process.run': 'Créer la couche',
  'process.private':
    'Laissé vide, il est choisi automatiquement. Vous seul voyez la couche tant que vous ne la partagez pas.',
  'process.sample': 'Ce que devient un échantillon',
  'process.sampled.one': '{n} ligne d’un échantillon ; rien n’a été conservé.',
  'process.sampled.other': '{n} lignes d’un échantillon ; rien n’a été conservé.',
  'process.filter-hint': "Par exemple population > 1000 and name like 'A%' (CQL2)",
  'process.no-column': 'Aucune',
  'process.name.filter': 'Filtrer vers une couche',
  'process.name.buffer': 'Zone tampon',
  'process.name.centroids': 'Centroïdes',
  'process.name.dissolve': 'Regrouper',
  'process.name.clip': 'Découper',
  'process.name.intersection': 'Intersection',
  'process.name.spatial-join': 'Jointure spatiale',
  'process.name.points-in-polygons': 'Points dans des surfaces',
  'process.name.hexagons': 'Grille d’hexagones avec statistiques',
  'process.name.merge': 'Fusionner des couches',
  'process.about.filter': 'Les lignes qui remplissent une condition, dans une couche à part.',
  'process.about.buffer': 'Des surfaces autour des formes d’une couche, de la largeur voulue, en mètres au sol.',
  'process.about.centroids':
    'Un point pour chaque forme d’une couche : son centre, ou un point sûrement à l’intérieur.',
  'process.about.dissolve':
    'Les formes de même valeur dans une colonne n’en font plus qu’une, sans limites entre elles ; ou toutes ensemble.',
  'process.about.clip': 'Ce qui, d’une couche, se trouve dans les surfaces d’une autre.',
  'process.about.intersection':
    'Ce que deux couches ont en commun : une ligne par paire de formes qui se touchent, avec les colonnes des deux.',
  'process.about.spatial-join':
    'Chaque ligne d’une couche avec ce qui s’y trouve d’une autre : le nombre de lignes, la somme et la moyenne d’une colonne, ou la ligne la plus proche.',
  'process.about.points-in-polygons':
    'Combien de points se trouvent dans chaque surface, avec la somme et la moyenne d’une de leurs colonnes.',
  'process.about.hexagons':
    'Des cellules égales sur une couche : combien de formes ont leur centre dans chacune, et ce que vaut une colonne.',
  'process.about.merge':
    'Les lignes de plusieurs couches en une. Les colonnes de même nom n’en font qu’une, et une colonne nomme la couche.',
  'process-input.layer': 'Couche',
  'process-input.layers': 'Couches',
  'process-input.other': 'Autre couche',
  'process-input.mask': 'Surfaces',
  'process-input.distance': 'Distance en mètres',
  'process-input.width': 'Largeur en mètres',
  'process-input.column': 'Colonne',
  'process-input.what': 'Ce qui est indiqué',
  'process-input.inside': 'Toujours à l’intérieur de la forme',
  'process-input.filter': 'Seulement les lignes où',
  'process-choice.count': 'Combien il y en a',
  'process-choice.nearest': 'La plus proche',
  'lineage.title': 'À partir de quoi elle a été faite',
  'lineage.changed': 'Modifiée depuis',
  'lineage.refresh': 'La refaire',
  'lineage.hidden.one': '{n} couche que vous ne voyez pas',
  'lineage.hidden.other': '{n} couches que vous ne voyez pas',
};
